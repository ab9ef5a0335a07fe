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
    /// `history` are the revisions since the base, in any order, the base itself included; the `candidates` and the
    /// revisions before them need their texts. `claimed` are revisions that are known to be other replies; `dates` finds
    /// those that the wiki puts into signatures.
    ///
    /// A revision is the reply's only if it added exactly what the request was to add, at that place: whatever else the
    /// account wrote meanwhile is left to the user.
    public static func look(
        for entry: OutboxEntry, in history: [RevisionInfo], claimed: Set<RevisionID>, dates: any SignatureDates
    ) -> PostedCheck {
        var suspect: RevisionID?
        let texts = Dictionary(history.map { ($0.id, $0.text) }, uniquingKeysWith: { $1 ?? $0 })
        for revision in candidates(for: entry, in: history, claimed: claimed) {
            let hasSummary = revision.summary.map { isSame($0, entry.sentSummary) }
            guard let text = revision.text else {
                // What is hidden cannot be told apart.
                if hasSummary != false { suspect = suspect ?? revision.id }
                continue
            }
            // The revision that made the page has nothing before it.
            let before = revision.parent.rawValue == 0 ? "" : texts[revision.parent] ?? nil
            if hasSummary != false, let before, let addition = entry.sentAddition,
                let added = AddedLines(from: before, to: text),
                added.are(addition, sent: entry.sentAt ?? 0, saved: revision.timestamp, dates: dates)
            {
                return .posted(revision.id)
            }
            // The user's own edit of another place has neither our text nor our summary.
            if hasSummary == true || mentions(entry.reply.text, in: text, before: before) {
                suspect = suspect ?? revision.id
            }
        }
        return suspect.map(PostedCheck.unexplained) ?? .absent
    }

    /// Whether every line of the reply stands in the text more often than before, wherever that is.
    private static func mentions(_ reply: String, in text: String, before: String?) -> Bool {
        let folded = { (text: String) in text.filter { !$0.isWhitespace && !":*#~".contains($0) } }
        let lines = reply.split(separator: "\n").map { folded(String($0)) }.filter { !$0.isEmpty }
        let now = folded(text), then = folded(before ?? "")
        return !lines.isEmpty && lines.allSatisfy { now.ranges(of: $0).count > then.ranges(of: $0).count }
    }

    /// The revisions that may be the reply's, whatever their texts are, oldest first.
    static func candidates(
        for entry: OutboxEntry, in history: [RevisionInfo], claimed: Set<RevisionID>
    ) -> [RevisionInfo] {
        history.filter { revision in
            revision.id > entry.sentBase ?? RevisionID(rawValue: 0) && !claimed.contains(revision.id)
                && (revision.user == nil || revision.user == entry.account)
        }.sorted { $0.id < $1.id }
    }

    /// The wiki keeps a summary as it was sent but for white space at its ends, and cuts a long one.
    private static func isSame(_ summary: String, _ sent: String?) -> Bool {
        let words = { (text: String) in text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        let summary = words(summary), sent = words(sent ?? "")
        if summary == sent { return true }
        return summary.count > 200 && summary.hasSuffix("...") && sent.hasPrefix(summary.dropLast(3))
    }
}
