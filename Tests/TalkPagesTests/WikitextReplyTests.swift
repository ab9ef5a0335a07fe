import TalkPages
import Testing

/// Replies against those of DiscussionTools 1.39.
///
/// `recorded-replies.json` are exchanges with a wiki, `kinds.json` and `shapes.json` what the same DiscussionTools made
/// of more threads.
@Suite struct WikitextReplyTests {
    struct Recorded: Decodable, CustomTestStringConvertible {
        var name: String
        var about: String
        var author: String
        var timestamp: Int64
        var occurrence: Int?
        var occurrences: Int?
        var text: String
        var before: String
        var after: String
        var testDescription: String { name }

        /// What DiscussionTools saved, or what is better than that.
        func expects(_ text: String) -> Bool {
            guard let part = better[name] else {
                let date = after.firstMatch(of: /05:1[89], 30 November 2026 \(UTC\)/)
                return expanded(text, date: date.map { String($0.output) } ?? "") == after
            }
            let old = before.split(separator: "\n")
            let new = part.split(separator: "\n").filter { !old.contains($0) }
            return text.contains(part) && text.split(separator: "\n").filter { !new.contains($0) } == old
        }
    }

    struct Shape: Decodable, CustomTestStringConvertible {
        struct Item: Decodable {
            var level: Int
            var author: String?
            var timestamp: Int64?
            var parent: Int?
        }
        struct Reply: Decodable {
            var item: Int
            var after: String
        }
        var about: String
        var before: String
        var text: String
        var items: [Item]
        var replies: [Reply]
        var testDescription: String { about }
    }

    /// Where ours is better than what DiscussionTools did.
    static let better: [String: String] = [
        // It put the reply before the table.
        "556-shape-table-cell": "10:00, 1 March 2024 (UTC)\n\n:Reply in the cell. ~~~~\n| Other cell\n",
        // It refused, because two templates make the box.
        "557-shape-collapsed-box": "10:05, 1 March 2024 (UTC)\n:Reply in the box. ~~~~\n{{Collapse bottom}}\n",
        // It indented each line of what the wiki reads as one: the table and the preformatted text broke.
        "543-shape-table": "(UTC)\n\n:Look:\n:{| class=\"wikitable\"\n! a !! b\n|-\n| 1 || 2\n|}\n:end ~~~~\n\n==",
        "561-shape-markup-heading-pre": "(UTC)\n\n:== Heading? ==\n:<pre>\na\n  b\n</pre>\n:<nowiki>~~~~</nowiki> and "
            + "~~~~~ and <code>x</code> ~~~~\n\n==",
        "569-shape-multiline-template":
            "(UTC)\n\n:{{Collapse top\n|Title\n}}\n:Inside\n:{{Collapse bottom}} ~~~~\n\n==",
        // It put the reply under the comment of somebody else.
        "573-shape-dl-dt-definition": "10:00, 1 March 2024 (UTC)\n::Reply to the supporter. ~~~~\n;Oppose\n",
    ]

    @Test(arguments: try wikitextFixture("recorded-replies.json", as: [Recorded].self))
    func placesAsDiscussionToolsDid(item: Recorded) throws {
        // The exchanges are replies on whole pages, where a section ends at the next heading.
        let comment = WikitextReply.Comment(
            author: item.author, timestamp: item.timestamp, occurrence: item.occurrence ?? 0,
            occurrences: item.occurrences)
        let result = try WikitextReply.insert(
            item.text, under: .comment(comment, last: nil), in: item.before, context: .example())
        guard case .placed(let text) = result else { return #expect(Bool(false), "\(result)") }
        #expect(item.expects(text), "\(text)")
    }

    @Test(arguments: try wikitextFixture("recorded-replies.json", as: [Recorded].self))
    func placesInTheSectionThatIsSent(item: Recorded) throws {
        let sections = WikitextSections(item.before)
        let comment = WikitextReply.Comment(author: item.author, timestamp: item.timestamp)
        let section = try #require(sections.text(of: 1))
        let result = try WikitextReply.insert(
            item.text, under: .comment(comment, last: nil), in: section, context: .example())
        guard case .placed(let text) = result else { return #expect(Bool(false), "\(result)") }
        // The wiki leaves one blank line below the section.
        let page = try #require(sections.replacing(1, with: text))
        if item.name == "570-shape-dirty-page" {
            #expect(page.contains("\n\n:Reply on an untidy page. ~~~~\n\n==  Untidy   =="))
        } else {
            #expect(item.expects(page), "\(page)")
        }
    }

    /// Hand-made threads of each kind that talk pages have, then shapes that were hard.
    static let shapes = Result {
        try wikitextFixture("kinds.json", as: [Shape].self) + wikitextFixture("shapes.json", as: [Shape].self)
    }

    @Test(arguments: try shapes.get())
    func placesEveryReplyOfAShape(shape: Shape) throws {
        let items = shape.items.map {
            ThreadItem(
                kind: $0.author == nil ? .heading : .comment, level: $0.level, id: "", name: "", parent: $0.parent,
                author: $0.author, timestamp: $0.timestamp, text: "")
        }
        for reply in shape.replies {
            let target = try #require(WikitextReply.target(reply.item, among: items))
            let result = try WikitextReply.insert(shape.text, under: target, in: shape.before, context: .example())
            #expect(result == .placed(reply.after))
        }
    }

    @Test(arguments: try shapes.get())
    func findsTheThreadInTheWikitextAlone(shape: Shape) throws {
        for reply in shape.replies {
            let item = shape.items[reply.item]
            let comment = WikitextReply.Comment(author: item.author ?? "", timestamp: item.timestamp ?? 0)
            let result = try WikitextReply.insert(
                shape.text, under: .comment(comment, last: nil), in: shape.before, context: .example())
            #expect(result == .placed(reply.after))
        }
    }
}
