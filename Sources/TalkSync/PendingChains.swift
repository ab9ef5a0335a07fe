internal import TalkPages
internal import TalkStore

/// What becomes of an answer to a reply or topic of the user's own that was not on the wiki when it was written.
///
/// Until that one is posted the target is `pending:<id>`; then it is the comment that the wiki made of it, like any other
/// target. When it will not be posted, neither will be what answers it.
enum PendingChains: Hashable {
    /// The answered one is in the page, pending as well.
    case stands
    /// It is not known yet, or not cached yet, what became of it.
    case waits
    /// It is this comment, or the topic with this heading, now.
    case answers(PendingReply.Target)
    /// It will never be there, for this reason.
    case gone(reason: String)

    /// Decides for an answer to `parent`, which does not stand in the page; nil when it has no journal any more.
    ///
    /// `newest` is the newest cached revision of the page with the items `new`, and `comment` tells which of these the
    /// wiki made of the parent.
    static func decide(
        _ target: PendingReply.Target, parent: OutboxEntry?, newest: RevisionID?, new: [ThreadItem],
        comment: (OutboxEntry) -> Int?
    ) -> PendingChains {
        guard let parent else {
            return .gone(reason: "your reply \(target.pending ?? ""), which it answers, was dropped")
        }
        let name = words(of: parent)
        switch parent.state {
        case .queued, .sending, .unknown, .held: return .waits
        case .discarded: return .gone(reason: "\(name), which it answers, was set aside")
        case .posted:
            if let revision = parent.postedRevision, newest.map({ $0.rawValue < revision.rawValue }) ?? true {
                return .waits
            }
            guard let index = comment(parent),
                let item = target.author == nil ? heading(of: index, in: new) : index
            else {
                let revision = parent.postedRevision.map { " as revision \($0)" } ?? ""
                return .gone(reason: "\(name), which it answers, was posted\(revision) and is no longer on the page")
            }
            return .answers(PendingRebase.target(new[item], in: new))
        }
    }

    /// The comment that the wiki made of a reply: of those of the account that are new since it was sent, the one that
    /// reads most like it.
    static func posted(
        _ entry: OutboxEntry, old: [ThreadItem], new: [ThreadItem], taken: Set<String>
    ) -> Int? {
        // A signature has full minutes, of a clock that may be somewhat behind.
        let earliest = entry.sentAt.map { $0 - PostedCheck.slack - 60 }
        let mine = new.indices.filter { index in
            let item = new[index]
            return item.kind == .comment && item.pending == nil && item.author == entry.account
                && !taken.contains(item.id) && earliest.map { item.timestamp ?? 0 >= $0 } ?? true
        }
        // What was there before is not it, unless it was edited since.
        let texts = Dictionary(old.map { ($0.name + "\n" + $0.text, 1) }, uniquingKeysWith: +)
        let names = Dictionary(old.map { ($0.name, 1) }, uniquingKeysWith: +)
        var candidates = mine.filter { index in
            let key = new[index].name + "\n" + new[index].text
            return new.count { $0.name + "\n" + $0.text == key } > texts[key] ?? 0
        }
        if candidates.isEmpty {
            candidates = mine.filter { index in
                new.count { $0.kind == .comment && $0.name == new[index].name } > names[new[index].name] ?? 0
            }
        }
        let isAtPlace = { (index: Int) in
            guard let target = entry.reply.target else { return true }
            return new[index].parent.map { new[$0].name == target.name } ?? false
        }
        return candidates.max { a, b in
            let (first, second) = (
                new[a].text.likeness(to: entry.reply.text), new[b].text.likeness(to: entry.reply.text)
            )
            if first != second { return first < second }
            return !isAtPlace(a) && isAtPlace(b)
        }
    }

    /// An item as the target of a reply; one that is pending by its own id.
    static func target(
        _ item: ThreadItem, in items: [ThreadItem], _ store: Store
    ) -> PendingReply.Target {
        var target = PendingRebase.target(item, in: items)
        guard let pending = item.pending else { return target }
        target.id = "pending:\(pending)"
        target.name = target.id
        target.timestamp = nil
        target.author = nil
        if item.kind == .comment {
            // Whoever it is: with an author it is a comment that is answered.
            target.author = (try? store.outboxEntry(pending))?.account ?? ""
        }
        return target
    }

    /// A reply in words for its writer.
    private static func words(of entry: OutboxEntry) -> String {
        let text = entry.reply.heading ?? entry.reply.text
        let first = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let cut = first.count > 40 ? first.prefix(39) + "…" : first
        return "your \(entry.reply.kind == .topic ? "topic" : "reply") \(entry.reply.id) (“\(cut)”)"
    }

    private static func heading(of index: Int, in items: [ThreadItem]) -> Int? {
        var place: Int? = index
        while let item = place, items[item].kind != .heading { place = items[item].parent }
        return place
    }
}

extension PendingChains {
    /// The chains of one page while its replies are fitted to a revision.
    struct Page {
        let store: Store
        /// The newest cached revision; nil when there is no page.
        let newest: RevisionID?
        /// Its items.
        let items: [ThreadItem]
        /// The items of an older revision.
        let older: (RevisionID) async throws(TalkError) -> [ThreadItem]
        /// Which comments posted replies are, by their ids; nil when they are not there.
        private var comments: [String: Int?] = [:]

        init(
            _ store: Store, newest: RevisionID?, items: [ThreadItem],
            older: @escaping (RevisionID) async throws(TalkError) -> [ThreadItem]
        ) {
            self.store = store
            self.newest = newest
            self.items = items
            self.older = older
        }

        /// Decides for an answer; `placed` are the pending replies that stand in the page.
        mutating func decide(
            _ target: PendingReply.Target, placed: Set<String>
        ) async throws(TalkError) -> PendingChains {
            guard let id = target.pending, !placed.contains(id) else { return .stands }
            let parent: OutboxEntry?
            do throws(TalkError) {
                parent = try store.outboxEntry(id)
            } catch  where error.kind == .damaged {
                return .waits
            }
            if let parent, parent.state == .posted, comments[parent.reply.id] == nil {
                let old = try await older(parent.sentBase ?? parent.reply.base)
                let taken = Set(comments.values.compactMap { $0.map { items[$0].id } })
                comments[parent.reply.id] = .some(PendingChains.posted(parent, old: old, new: items, taken: taken))
            }
            let comments = comments
            return PendingChains.decide(
                target, parent: parent, newest: newest, new: items
            ) { comments[$0.reply.id] ?? nil }
        }

        /// What was posted, and seen, is needed no longer once the answers to it know where it stands.
        func finish(_ target: PendingReply.Target?) async throws(TalkError) {
            guard let id = target?.pending, let parent = try? store.outboxEntry(id), parent.state == .posted,
                parent.isSeen
            else { return }
            try await store.removeEntry(id)
        }
    }
}

extension String {
    /// How much of its words a text has in common with another one, from 0 to 1.
    fileprivate func likeness(to other: String) -> Double {
        let words = { (text: String) in
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.reduce(into: [Substring: Int]()) { counts, word in
                counts[word, default: 0] += 1
            }
        }
        let own = words(self), others = words(other)
        let common = own.reduce(0) { $0 + min($1.value, others[$1.key] ?? 0) }
        let total = own.values.reduce(0, +) + others.values.reduce(0, +)
        return total == 0 ? 0 : Double(2 * common) / Double(total)
    }
}
