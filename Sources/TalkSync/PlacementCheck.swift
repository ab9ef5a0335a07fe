public import TalkPages

/// Whether a changed page is the old discussion plus one comment in the right place, and nothing else.
///
/// The wiki renders the changed wikitext before it is saved; this compares what our parser reads in it.
public enum PlacementCheck {
    /// What is wrong, in words for the user; nil when all is right.
    ///
    /// `old` are the items of the revision that the text was made from, `new` those of the changed text, `target` is the
    /// index of the answered item in `old`, `account` the one that signs.
    public static func problem(old: [ThreadItem], new: [ThreadItem], target: Int, account: String) -> String? {
        guard new.count == old.count + 1 else {
            return new.count <= old.count
                ? "the wiki would not show it as a comment of its own" : "it would change how other comments are read"
        }
        let place = place(old: old, new: new)
        for index in place..<old.count where !isSame(old[index], new[index + 1]) {
            return "it would change how other comments are read"
        }
        let added = new[place]
        guard added.kind == .comment, added.author == account else {
            return "it would not carry the signature of \(account)"
        }
        guard let parent = added.parent, isSame(old[target], new[parent]) || parent == target else {
            return "it would stand under another comment"
        }
        return nil
    }

    /// What is wrong with a new topic, in words for the user; nil when `new` is `old` and behind it one topic with one
    /// comment, which the account signs.
    public static func problem(old: [ThreadItem], new: [ThreadItem], topicBy account: String) -> String? {
        guard new.count > old.count, zip(old, new).allSatisfy(isSame) else {
            return new.count <= old.count
                ? "the wiki would not show it as a topic of its own" : "it would change how other comments are read"
        }
        let added = new[old.count...]
        guard let heading = added.first, heading.kind == .heading, heading.headingLevel == 2,
            heading.parent.map({
                new[$0].headingLevel ?? 0 < 2
            }) ?? true
        else { return "the wiki would not show it as a topic of its own" }
        let others = added.dropFirst()
        guard others.allSatisfy({ $0.kind == .comment || $0.headingLevel ?? 0 > 2 }) else {
            return "its text would begin another topic"
        }
        let comments = others.filter { $0.kind == .comment }
        guard let comment = comments.last, comment.author == account, others.last?.kind == .comment else {
            return "it would not carry the signature of \(account)"
        }
        return comments.count == 1 ? nil : "it would be read as \(comments.count) comments"
    }

    /// Where in `new`, which has one item more, that one stands.
    static func place(old: [ThreadItem], new: [ThreadItem]) -> Int {
        new.indices.first { $0 >= old.count || !isSame(old[$0], new[$0]) } ?? old.count
    }

    /// Whether two items are one; ids are left out, since an id may be numbered anew when an equal one comes in.
    private static func isSame(_ a: ThreadItem, _ b: ThreadItem) -> Bool {
        a.kind == b.kind && a.level == b.level && a.headingLevel == b.headingLevel && a.text == b.text
            && (a.kind == .heading || a.name == b.name)
    }
}
