/// Tells which comments an edit added, as DiscussionTools does for its notifications.
///
/// Comments are compared by name within their level 2 topic, since ids change when a parent is moved or archived.
/// Comments outside such a topic are not counted.
public enum NewComments {
    /// A comment more than this many seconds older than the edit was moved here, not written.
    private static let newestAge: Int64 = 600

    /// Indices in `new` of the comments that `user` added with the edit that was saved at `saved`, in page order.
    public static func indices(in new: ThreadTree, notIn old: ThreadTree, by user: String, savedAt saved: Int64)
        -> [Int]
    {
        let user = user.replacing("_", with: " ")
        return indices(in: new, notIn: old).filter { index in
            let item = new.items[index]
            guard item.author == user, let timestamp = item.timestamp else { return false }
            return timestamp > saved - newestAge
        }
    }

    /// Indices in `new` of the comments that `old` has not, whoever wrote them and when, in page order.
    ///
    /// With the arguments exchanged: the comments that are gone.
    public static func indices(in new: ThreadTree, notIn old: ThreadTree) -> [Int] {
        let before = grouped(old)
        var result: [Int] = []
        for (key, comments) in grouped(new) {
            let known = before[key] ?? []
            var missing = comments.count - known.count
            guard missing > 0 else { continue }
            // Of several with one name: those with a new id first, and then those further down.
            let ids = Set(known.map { old.items[$0].id })
            let isNew = { !ids.contains(new.items[$0].id) }
            for index in comments.reversed().filter(isNew) + comments.reversed().filter({ !isNew($0) })
            where missing > 0 {
                result.append(index)
                missing -= 1
            }
        }
        return result.sorted()
    }

    private struct Key: Hashable {
        var topic: String
        var name: String
    }

    private static func grouped(_ tree: ThreadTree) -> [Key: [Int]] {
        var result: [Key: [Int]] = [:]
        var topic: String?
        for (index, item) in tree.items.enumerated() {
            if item.kind == .comment {
                if let topic, item.pending == nil {
                    result[Key(topic: topic, name: item.name), default: []].append(index)
                }
            } else if item.headingLevel == 2 {
                topic = item.name
            } else if item.headingLevel ?? 0 < 2 {
                topic = nil
            }
        }
        return result
    }
}
