import TalkPages
import Testing

/// Which comment is meant, and when the place cannot be known.
@Suite struct WikitextReplyTargetTests {
    static let noon: Int64 = 1_709_294_400  // 12:00, 1 March 2024

    private func reply(
        _ section: String, _ author: String = "Bob", occurrence: Int = 0, of count: Int? = nil, level: Int? = nil,
        displayed: String? = nil, context: WikitextReply.Context = .example()
    ) throws -> WikitextReply.Result {
        let comment = WikitextReply.Comment(
            author: author, timestamp: Self.noon, occurrence: occurrence, occurrences: count, level: level,
            displayed: displayed)
        return try WikitextReply.insert("R", under: .comment(comment, last: nil), in: section, context: context)
    }

    @Test(arguments: [
        "[[User:Bob|x]]", "[[user:bob]]", "[[:User:Bob]]", "[[User talk:Bob#top|talk]]", "[[Benutzer:Bob]]",
        "[[benutzerin_Diskussion: bob |x]]", "[[Special:Contributions/Bob|Bob]]", "[[Spezial:Beiträge/Bob|Bob]]",
        "[[w:User:Bob|Bob]]", "[[:en:user:Bob|Bob]]", "[https://wiki.example/wiki/User:Bob Bob]", "{{User:Bob/Sig}}",
        "'''[[User:Bob|<span style=\"color:red\">B</span>]]''' ([[User talk:Someone|x]]) [[User:Bob|B]]",
        "[[User:B%6Fb|B]]",
        "[[User:Bob|B]] ([[User:Bob/Talk|t]])", "[[\u{200E}User:Bob\u{200E}|B]]",
    ])
    func knowsTheAuthorByLocalLinks(link: String) throws {
        let section = "A \(link) 12:00, 1 March 2024 (UTC)"
        #expect(try reply(section) == .placed(section + "\n\n:R ~~~~"))
    }

    @Test(arguments: [
        "[[User:Bobby|x]]", "[[User:Bob/Sub|x]]", "[[Bob]]", "[[Talk:Bob]]", "[[x:User:Bob]]", "Bob",
        "<nowiki>[[User:Bob]]</nowiki>", "<!-- [[User:Bob]] -->", "[[User:Bob]] [[User:Carol]]",
    ])
    func knowsThatAnotherLinkIsNoSignature(link: String) throws {
        #expect(try reply("A \(link) 12:00, 1 March 2024 (UTC)") == .notFound)
    }

    @Test func ignoresALinkFarFromTheDate() throws {
        let far = String(repeating: "word ", count: 30)
        #expect(try reply("[[User:Bob]] \(far) 12:00, 1 March 2024 (UTC)") == .notFound)
    }

    @Test func comparesUserNamesAsMediaWikiDoes() throws {
        let section = ":A [[User:éva_b|x]] 12:00, 1 March 2024 (UTC)"
        #expect(try reply(section, "E\u{301}va b") == .placed(section + "\n::R ~~~~"))
        let address = ":A [[Special:Contributions/2001:db8::1|x]] 12:00, 1 March 2024 (UTC)"
        #expect(try reply(address, "2001:DB8::1") == .placed(address + "\n::R ~~~~"))
    }

    @Test func asksWhichOfTwoEqualSignatures() throws {
        let one = ":A [[User:Bob]] 12:00, 1 March 2024 (UTC)"
        let section = "\(one)\n\(one)"
        #expect(try reply(section) == .ambiguous(2))
        #expect(try reply(section, occurrence: 0, of: 2) == .placed("\(one)\n::R ~~~~\n\(one)"))
        #expect(try reply(section, occurrence: 1, of: 2) == .placed("\(one)\n\(one)\n::R ~~~~"))
        #expect(try reply(section, occurrence: 1, of: 3) == .ambiguous(2))
        #expect(try reply(one, occurrence: 0, of: 2) == .ambiguous(1))
    }

    @Test func doesNotCountTheSecondSignatureOfAParagraph() throws {
        let section = "A [[User:Carol]] 12:00, 1 March 2024 (UTC)\nB [[User:Bob]] 12:00, 1 March 2024 (UTC)"
        #expect(try reply(section) == .notFound)
    }

    @Test func takesTheDateThatThePageShows() throws {
        let section = ":A [[User:Bob]] 12.00, 1. Mär. 2024\u{200E} (MEZ)"
        #expect(try reply(section) == .notFound)
        #expect(try reply(section, displayed: "12.00, 1.\u{200F} Mär. 2024 (MEZ)") == .placed(section + "\n::R ~~~~"))
    }

    @Test func refusesInsideATemplateOverLines() throws {
        let section = "{{Box|1=\nA [[User:Bob]] 12:00, 1 March 2024 (UTC)\n:b\n}}"
        #expect(try reply(section) == .refused("The comment stands inside a template"))
    }

    @Test func refusesInAnHTMLList() throws {
        let section = "<ul>\n<li>A [[User:Bob]] 12:00, 1 March 2024 (UTC)</li>\n</ul>"
        #expect(try reply(section) == .refused("The comment stands in a list that is written as HTML"))
    }

    @Test func refusesWhenThePageShowsADeeperIndentation() throws {
        let section = "A [[User:Bob]] 12:00, 1 March 2024 (UTC)"
        let reason = "The comment is indented in a way that its wikitext does not show"
        #expect(try reply(section, level: 2) == .refused(reason))
    }

    @Test func refusesBesideAnotherCell() throws {
        let section = "{|\n| A [[User:Bob]] 12:00, 1 March 2024 (UTC) || b\n|}"
        #expect(try reply(section) == .refused("The comment stands in a row of a table"))
    }

    @Test func prefersTheIndentationOfTheWikitextAboveATemplate() throws {
        let section = "{{Notice}}\n:A [[User:Bob]] 12:00, 1 March 2024 (UTC)"
        #expect(try reply(section, level: 1) == .placed(section + "\n::R ~~~~"))
    }

    @Test(arguments: [":", "::"])
    func keepsALevelThatAnotherReplyNeeds(prefix: String) throws {
        let bob = "{{Notice}}\n\(prefix)A [[User:Bob]] 12:00, 1 March 2024 (UTC)"
        let section = "\(bob)\n:C [[User:Carol]] 12:01, 1 March 2024 (UTC)"
        let carol = WikitextReply.Comment(author: "Carol", timestamp: Self.noon + 60, level: 2)
        let target = WikitextReply.Comment(author: "Bob", timestamp: Self.noon, level: 1, replyLevel: 2)
        let result = try WikitextReply.insert(
            "R", under: .comment(target, last: carol), in: section, context: .example())
        #expect(result == .placed(section + "\n:R ~~~~"))
    }

    @Test func saysThatALaterReplyIsMissing() throws {
        let section = "A [[User:Bob]] 12:00, 1 March 2024 (UTC)"
        let target = WikitextReply.Comment(author: "Bob", timestamp: Self.noon)
        let other = WikitextReply.Comment(author: "Carol", timestamp: Self.noon)
        let result = try WikitextReply.insert(
            "R", under: .comment(target, last: other), in: section, context: .example())
        #expect(result == .refused("A reply below the comment was not found in the wikitext"))
    }

    @Test func indentsWithBulletsWhereTheWikiDoes() throws {
        let context = WikitextReply.Context.example(.bullet)
        let bob = "[[User:Bob]] 12:00, 1 March 2024 (UTC)"
        #expect(try reply("A \(bob)", context: context) == .placed("A \(bob)\n\n* R ~~~~"))
        #expect(try reply(":A \(bob)", context: context) == .placed(":A \(bob)\n:* R ~~~~"))
        let numbered = "#A \(bob)\n#*B [[User:Carol]] 12:01, 1 March 2024 (UTC)"
        #expect(try reply(numbered, context: context) == .placed(numbered + "\n#* R ~~~~"))
    }

    /// A tag takes the beginning of an extension tag for its attributes.
    @Test func answersBelowATagInsideATag() throws {
        let text = "== A ==\n<div <pre>\nx\n</pre>"
        let result = try WikitextReply.insert("Reply", under: .heading, in: text, context: .example())
        #expect(result == .placed(text + "\n\nReply ~~~~"))
    }

    @Test func answersAHeadingBelowWhatStandsThere() throws {
        func append(_ section: String, _ text: String = "R") throws -> WikitextReply.Result {
            try WikitextReply.insert(text, under: .heading, in: section, context: .example())
        }
        #expect(try append("== A ==") == .placed("== A ==\n\nR ~~~~"))
        #expect(try append("== A ==\nx\n:y\n\n=== B ===\nz") == .placed("== A ==\nx\n:y\n\nR ~~~~\n\n=== B ===\nz"))
        #expect(try append("", "* a\n* b") == .placed("* a\n* b\n~~~~"))
        #expect(try append("lede", "a\n\nb") == .placed("lede\n\na\n\nb ~~~~"))
        let reason = "The section has a comment that is not closed, so that a reply would not be seen"
        #expect(try append("== A ==\n<!-- x") == .refused(reason))
    }

    @Test func findsTheSectionsOfASignature() {
        let bob = "[[User:Bob]] 12:00, 1 March 2024 (UTC)"
        let page = """
            A \(bob)
            == A ==
            {{x|
            == T ==
            }}
            :a [[User:Carol]] 12:00, 1 March 2024 (UTC)
            === B ===
            A \(bob)

            B \(bob)
            == C ==
            <nowiki>\(bob)</nowiki>
            """
        func sections(_ author: String) -> [Int] {
            let comment = WikitextReply.Comment(author: author, timestamp: Self.noon)
            return WikitextReply.sections(with: comment, in: page, context: .example())
        }
        #expect(sections("Bob") == [0, 3])
        #expect(sections("Carol") == [1])
        #expect(sections("Dan") == [])
    }

    @Test func namesTheTargetByTheItemsOfTheSection() throws {
        func item(_ author: String?, _ level: Int, _ parent: Int?) -> ThreadItem {
            ThreadItem(
                kind: author == nil ? .heading : .comment, level: level, id: "", name: "", parent: parent,
                author: author, timestamp: author == nil ? nil : Self.noon, text: "")
        }
        let items = [item(nil, 0, nil), item("Bob", 1, 0), item("Carol", 3, 1), item("Bob", 2, 1), item("Dan", 1, 0)]
        let bob = WikitextReply.Comment(
            author: "Bob", timestamp: Self.noon, occurrence: 0, occurrences: 2, level: 1, replyLevel: 2)
        let last = WikitextReply.Comment(
            author: "Bob", timestamp: Self.noon, occurrence: 1, occurrences: 2, level: 2)
        #expect(WikitextReply.target(1, among: items) == .comment(bob, last: last))
        #expect(WikitextReply.target(3, among: items) == .comment(last, last: last))
        #expect(WikitextReply.target(0, among: items) == .heading)
        #expect(WikitextReply.target(9, among: items) == nil)
    }
}
