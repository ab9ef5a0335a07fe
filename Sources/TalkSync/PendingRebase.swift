public import TalkPages

/// What becomes of a pending reply when the page moved to another revision: a pure decision.
///
/// The target is looked for by identity: id, then name, then author and time (DiscussionTools finds the parent of a
/// reply by name in the newest revision; its ids change with their parents). Where several comments have the name, the
/// text that the target had when the reply was written decides.
public enum PendingRebase: Hashable, Sendable {
    /// The target is there; the reply goes under it, as it is named now.
    case keep(PendingReply.Target?)
    /// The target is gone; the reply is set aside for this reason.
    case discard(reason: String)

    /// Decides for one reply, as it stands on the pending branch.
    ///
    /// `old` are the items of its base revision, `new` those of the page's present one.
    public static func decide(_ reply: PendingReply, old: [ThreadItem], new: [ThreadItem]) -> PendingRebase {
        guard let target = reply.target else { return .keep(nil) }
        let isHeading = target.author == nil
        let before = old.first { $0.id == target.id }
        let candidates = new.filter { ($0.kind == .heading) == isHeading && $0.pending == nil }
        if isHeading {
            return decide(heading: target, candidates, new)
        }
        let named = candidates.filter { $0.name == target.name }
        // Of two comments of one minute the one that is left may be the other: then only its text tells.
        let hadTwin = old.count { $0.kind == .comment && $0.pending == nil && $0.name == target.name } > 1
        if named.count == 1, !hadTwin || named[0].text == before?.text {
            return .keep(self.target(named[0], in: new))
        }
        if named.count == 1 {
            return .discard(reason: "the comment by \(target.author ?? "") that it answers is no longer on the page")
        }
        if named.count > 1 {
            let same = named.filter { $0.text == before?.text }
            if same.count == 1 { return .keep(self.target(same[0], in: new)) }
            if let exact = same.first(where: { $0.id == target.id }) { return .keep(self.target(exact, in: new)) }
            return .discard(reason: "several comments by \(target.author ?? "") of that minute are on the page now")
        }
        let signed = candidates.filter { $0.author == target.author && $0.timestamp == target.timestamp }
        if signed.count == 1 { return .keep(self.target(signed[0], in: new)) }
        return .discard(reason: "the comment by \(target.author ?? "") that it answers is no longer on the page")
    }

    private static func decide(
        heading target: PendingReply.Target, _ candidates: [ThreadItem], _ new: [ThreadItem]
    ) -> PendingRebase {
        let same = candidates.first { $0.id == target.id } ?? candidates.first { $0.text == target.heading }
        if let same { return .keep(self.target(same, in: new)) }
        let named = target.name == "h-" ? [] : candidates.filter { $0.name == target.name }
        if named.count == 1 { return .keep(self.target(named[0], in: new)) }
        return .discard(reason: "the topic \"\(target.heading)\" that it answers is no longer on the page")
    }

    /// The item as a target, with the text of the heading above it.
    public static func target(_ item: ThreadItem, in items: [ThreadItem]) -> PendingReply.Target {
        var heading: ThreadItem? = item
        while let above = heading, above.kind != .heading { heading = above.parent.map { items[$0] } }
        return PendingReply.Target(
            id: item.id, name: item.name, author: item.author, timestamp: item.timestamp, heading: heading?.text ?? "")
    }
}
