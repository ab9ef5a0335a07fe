public import TalkPages

/// Whether a reply whose outcome is not known is on the wiki: a pure look at the page's history since its base.
///
/// No resend without it: `baserevid` guards a merge, not a resend (the wiki posts again after a revert or a move).
public enum PostedCheck: Hashable, Sendable {
    /// This revision is it, even if it was reverted since.
    case posted(RevisionID)
    /// This edit of the account may be it; only the user can tell.
    case unexplained(RevisionID)
    /// There is no such edit.
    case absent

    /// Seconds by which a revision may be older than the request: the wiki dates it when the save begins.
    static let slack: Int64 = 60

    /// Looks for the revision of an entry, whose journal says what was sent.
    ///
    /// `history` are the revisions since the base with their texts, oldest first, the base itself included; `claimed`
    /// are revisions that are known to be other replies.
    public static func look(
        for entry: OutboxEntry, in history: [RevisionInfo], claimed: Set<RevisionID>
    ) -> PostedCheck {
        var suspect: RevisionID?
        for (index, revision) in history.enumerated() {
            guard revision.id != entry.sentBase, !claimed.contains(revision.id),
                revision.user == nil || revision.user == entry.account,
                revision.timestamp >= (entry.sentAt ?? 0) - slack
            else { continue }
            let before = index > 0 ? history[index - 1].text : nil
            let hasText = contains(entry.reply.text, revision.text, before: before)
            if hasText, revision.summary == nil || revision.summary == entry.sentSummary { return .posted(revision.id) }
            // The user's own edit of another place has neither our text nor our summary.
            if hasText || revision.summary == entry.sentSummary { suspect = suspect ?? revision.id }
        }
        return suspect.map(PostedCheck.unexplained) ?? .absent
    }

    /// Whether every line of the reply stands in the text more often than before.
    private static func contains(_ reply: String, _ text: String?, before: String?) -> Bool {
        guard let text else { return false }
        let lines = reply.split(separator: "\n").map { folded($0[...]) }.filter { !$0.isEmpty }
        let now = folded(text[...]), then = before.map { folded($0[...]) } ?? ""
        return !lines.isEmpty
            && lines.allSatisfy { now.ranges(of: $0).count > then.ranges(of: $0).count }
    }

    /// Without indentation and white space, which the placement changes, and without tildes, which the wiki replaces.
    private static func folded(_ text: Substring) -> String {
        String(text.filter { !$0.isWhitespace && !":*#~".contains($0) })
    }
}
