/// What becomes of pending replies when somebody else changed their page since they were written (`talk.onMove`).
public enum MoveRule: String, Hashable, Sendable, CaseIterable {
    /// A reply follows the comment that it answers; it is set aside when that is gone.
    case rebase
    /// Any change of the page sets its replies aside, so that the user reads it before anything is posted.
    case discard
}
