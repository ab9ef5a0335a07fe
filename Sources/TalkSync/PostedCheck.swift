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
    /// `history` are the revisions since the base, oldest first, the base itself included; the `candidates` and the
    /// revisions before them need their texts. `claimed` are revisions that are known to be other replies.
    public static func look(
        for entry: OutboxEntry, in history: [RevisionInfo], claimed: Set<RevisionID>
    ) -> PostedCheck {
        var suspect: RevisionID?
        for index in candidates(for: entry, in: history, claimed: claimed) {
            let revision = history[index]
            let hasSummary = revision.summary.map { isSame($0, entry.sentSummary) }
            guard let text = revision.text else {
                // What is hidden cannot be told apart.
                if hasSummary != false { suspect = suspect ?? revision.id }
                continue
            }
            var before = (index > 0 ? history[index - 1] : nil).flatMap { $0.id == revision.parent ? $0.text : nil }
            // The revision that made the page has nothing before it.
            if index == 0, revision.parent.rawValue == 0, entry.sentBase?.rawValue == 0 { before = "" }
            if hasSummary != false, let before, AddedText(from: before, to: text).holds(entry),
                AddedText.stands(entry, in: text)
            {
                return .posted(revision.id)
            }
            // The user's own edit of another place has neither our text nor our summary.
            if hasSummary == true || AddedText.mentions(entry.reply.text, in: text, before: before) {
                suspect = suspect ?? revision.id
            }
        }
        return suspect.map(PostedCheck.unexplained) ?? .absent
    }

    /// Whether the wiki rewrites so much of a reply when it saves it that its text alone cannot be found again.
    static func needsSavedForm(of reply: PendingReply) -> Bool { !AddedText.isDistinct(AddedText.sent(reply, nil)) }

    /// The line above a reply in a text that differs from `old` by it; nil where its first line is not the first difference.
    static func lineAbove(_ reply: PendingReply, in new: String, since old: String) -> String? {
        var above: Substring?
        let former = old.split(separator: "\n"), lines = new.split(separator: "\n")
        for (index, line) in lines.enumerated() {
            if index < former.count, former[index] == line {
                above = line
                continue
            }
            return AddedText.isFirstLine(line, of: reply) ? above.map(String.init) : nil
        }
        return nil
    }

    /// Places in the history of the revisions that may be the reply's, whatever their texts are.
    static func candidates(
        for entry: OutboxEntry, in history: [RevisionInfo], claimed: Set<RevisionID>
    ) -> [Int] {
        history.indices.filter { index in
            let revision = history[index]
            return revision.id != entry.sentBase && !claimed.contains(revision.id)
                && (revision.user == nil || revision.user == entry.account)
                && revision.timestamp >= (entry.sentAt ?? 0) - slack
        }
    }

    /// The wiki keeps a summary as it was sent but for white space at its ends, and cuts a long one.
    private static func isSame(_ summary: String, _ sent: String?) -> Bool {
        let words = { (text: String) in text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        let summary = words(summary), sent = words(sent ?? "")
        if summary == sent { return true }
        return summary.count > 200 && summary.hasSuffix("...") && sent.hasPrefix(summary.dropLast(3))
    }
}

/// The lines that an edit added to a page.
private struct AddedText {
    private let lines: [String]

    init(from old: String, to new: String) {
        var left: [Substring: Int] = [:]
        for line in old.split(separator: "\n") { left[line, default: 0] += 1 }
        lines = new.split(separator: "\n").filter { line in
            guard let count = left[line], count > 0 else { return true }
            left[line] = count - 1
            return false
        }.map(Self.body)
    }

    /// Whether the lines of the reply are among them, the last one signed by the account.
    func holds(_ entry: OutboxEntry) -> Bool {
        var rest = lines
        let reply = Self.sent(entry.reply, entry.sentText)
        guard let last = reply.indices.last, Self.isDistinct(reply) else { return false }
        for (index, pieces) in reply.enumerated() {
            let isLast = index == last
            let found = rest.firstIndex { line in
                guard let tail = Self.tail(of: line, after: pieces) else { return false }
                if tail.isEmpty { return true }
                // The signature is put behind the last line, or where the user wrote the tildes.
                if pieces.count > 1 { return true }
                // Of a signature that the user wrote, the form that is kept lacks the date alone.
                return isLast && tail.first == " "
                    && (entry.sentText != nil || Self.isSignature(tail, of: entry.account))
                    && Self.names(entry.account, entry.sentText == nil ? tail : line[...])
            }
            guard let found else { return false }
            rest.remove(at: found)
        }
        return true
    }

    /// Whether the reply stands in the text below the line that it was sent below.
    ///
    /// The same words of the same user below another comment are another reply.
    static func stands(_ entry: OutboxEntry, in text: String) -> Bool {
        guard let above = entry.sentAfter, let first = sent(entry.reply, entry.sentText).first else { return true }
        let lines = text.split(separator: "\n")
        return zip(lines, lines.dropFirst()).contains { line, next in
            line == above && tail(of: body(next), after: first) != nil
        }
    }

    /// Whether a line is the first one of a reply as it was sent.
    static func isFirstLine(_ line: Substring, of reply: PendingReply) -> Bool {
        sent(reply, nil).first.map { body(line).hasPrefix($0[0]) } ?? false
    }

    /// The lines of a reply, a topic's heading first, each in the pieces that the wiki does not write otherwise; `saved`
    /// is what the wiki made of the text where that was asked for.
    static func sent(_ reply: PendingReply, _ saved: String?) -> [[String]] {
        let heading = reply.heading.map { ["== \($0) =="[...]] } ?? []
        return (heading + (saved ?? reply.text).split(separator: "\n")).map { pieces(body($0)) }.filter { $0 != [""] }
    }

    /// Whether there is anything in the pieces to be found.
    static func isDistinct(_ lines: [[String]]) -> Bool {
        lines.contains { line in line.contains { !$0.allSatisfy(\.isWhitespace) } }
    }

    /// Whether every line of the reply stands in the text more often than before, wherever that is.
    static func mentions(_ reply: String, in text: String, before: String?) -> Bool {
        let folded = { (text: String) in text.filter { !$0.isWhitespace && !":*#~".contains($0) } }
        let lines = reply.split(separator: "\n").map { folded(String($0)) }.filter { !$0.isEmpty }
        let now = folded(text), then = folded(before ?? "")
        return !lines.isEmpty && lines.allSatisfy { now.ranges(of: $0).count > then.ranges(of: $0).count }
    }

    /// A line without indentation, which the placement changes, and without white space at its end.
    private static func body(_ line: Substring) -> String {
        var body = line.drop { ":*#; \t".contains($0) }
        while body.last?.isWhitespace == true { body.removeLast() }
        return String(body)
    }

    /// What stands between the parts that the wiki replaces when it saves.
    private static func pieces(_ line: String) -> [String] {
        SavedWikitext.withoutReplaced(line).split(separator: "~~~", omittingEmptySubsequences: false).map { piece in
            String(piece.drop { $0 == "~" })
        }
    }

    /// What follows the pieces in a line that begins with the first one and has the others in order.
    private static func tail(of line: String, after pieces: [String]) -> Substring? {
        guard line.hasPrefix(pieces[0]) else { return nil }
        var rest = line.dropFirst(pieces[0].count)
        for piece in pieces.dropFirst() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return nil }
            rest = rest[found.upperBound...]
        }
        return rest
    }

    /// Whether what follows a line is a signature of the account, and not more words before one.
    ///
    /// Nothing but marks and tags stands before its first link, which names the account.
    private static func isSignature(_ tail: Substring, of account: String) -> Bool {
        guard let link = tail.firstRange(of: "[["), let end = tail[link.upperBound...].firstRange(of: "]]") else {
            return false
        }
        let before = tail[..<link.lowerBound].replacing(/<[^<>]*>/, with: "")
        return before.allSatisfy { " -–—~•|'".contains($0) } && names(account, tail[link.upperBound..<end.lowerBound])
    }

    private static func names(_ account: String, _ text: Substring) -> Bool {
        text.contains(account) || text.contains(account.replacing(" ", with: "_"))
    }
}
