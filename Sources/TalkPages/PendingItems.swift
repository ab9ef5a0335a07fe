/// Puts pending replies among the items of a page, where they will stand once they are posted.
public enum PendingItems {
    /// A pending reply with the account as whom it is posted.
    public struct Entry: Hashable, Sendable {
        /// The reply.
        public var reply: PendingReply
        /// The account; empty when nobody was logged in when it was written.
        public var account: String

        /// Makes an entry.
        public init(reply: PendingReply, account: String) {
            self.reply = reply
            self.account = account
        }
    }

    /// The items with the pending ones in place: a reply after everything that answers its target already.
    ///
    /// A reply whose target is not on the page is left out; it is for the rebase to tell.
    public static func insert(_ pending: [Entry], into items: [ThreadItem]) -> [ThreadItem] {
        pending.reduce(items) { items, entry in
            guard let target = entry.reply.target, let index = items.firstIndex(where: { $0.id == target.id }) else {
                return items
            }
            return insert(entry, under: index, into: items)
        }
    }

    private static func insert(_ entry: Entry, under target: Int, into items: [ThreadItem]) -> [ThreadItem] {
        let place = endOfReplies(to: target, in: items)
        var result = items
        for index in place..<items.count {
            // Items behind the new one move by one place; their parents may be among them.
            if let parent = items[index].parent, parent >= place { result[index].parent = parent + 1 }
        }
        let id = "pending:\(entry.reply.id)"
        let item = ThreadItem(
            kind: .comment, level: items[target].level + 1, id: id, name: id, parent: target, author: entry.account,
            timestamp: entry.reply.created, text: entry.reply.text, file: items[target].file,
            pending: entry.reply.id)
        result.insert(item, at: place)
        return result
    }

    /// The index after the last comment below the target; sub-headings end a heading's own comments.
    private static func endOfReplies(to target: Int, in items: [ThreadItem]) -> Int {
        var below: Set<Int> = [target]
        var index = target + 1
        while index < items.count, items[index].kind == .comment, let parent = items[index].parent,
            below.contains(parent)
        {
            below.insert(index)
            index += 1
        }
        return index
    }
}
