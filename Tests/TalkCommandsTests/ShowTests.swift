import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// `git talk show` of invented pages, old revisions among them.
@Suite(.temporaryDirectory) struct ShowTests {
    private let bob = "<p>How wide is it? ~Bob 10:00, 1 March 2024~</p>"
    private let title = "Talk:Old Stone Bridge"

    @Test func anOldRevisionIsShownAsWhatItIs() async throws {
        let page = try await InventedPage()
        try await page.add(101, by: "Bob", at: DiffTests.firstOfMarch, "<h2 id=\"W\">Widht</h2>" + bob)
        try await page.add(
            102, by: nil, at: DiffTests.firstOfMarch + 60,
            "<h2 id=\"W\">Width</h2>" + bob + "<p>Four metres. ~Carol 11:00, 1 March 2024~</p>")
        try await page.reply("Thank you.", to: "c-Carol-20240301110000-W")
        let old = await page.program.run("show", title + "@101")
        #expect(
            old.output.hasPrefix(
                """
                Talk:Old Stone Bridge  en.wiki.example
                revision 101 of 2024-03-01 12:05 UTC by Bob; not the newest, which is 102

                == Widht ==
                """), "\(old.output)\(old.error)")
        #expect(!old.output.contains("Four metres.") && !old.output.contains("Thank you."))
        let new = await page.program.run("show", title + "@102").output
        #expect(new.contains("\nrevision 102 of 2024-03-01 12:06 UTC by (user hidden); the newest that is cached\n"))
        #expect(new.contains("Four metres.") && !new.contains("Thank you."))
        for typed in [title + "@101#Widht", "https://en.wiki.example/wiki/Talk:Old_Stone_Bridge@101#Widht"] {
            let topic = await page.program.run("show", typed)
            #expect(topic.output == old.output, "\(topic.error)")
        }
        let json = try await page.program.run("show", title + "@101", "--json").json()
        #expect(json["revision"] as? Int == 101 && (json["items"] as? [Any])?.count == 2)
    }

    @Test func whatIsNotCachedHasAHintThatHelps() async throws {
        let page = try await InventedPage()
        for id in 101...107 { try await page.add(Int64(id), by: "Bob", at: DiffTests.firstOfMarch + Int64(id), bob) }
        let address = "https://en.wiki.example/wiki/Talk:Old_Stone_Bridge"
        for (typed, error) in [
            (
                title + "@99",
                "revision 99 of \(title) is not cached; cached are 103, 104, 105, 106, 107 and 2 more\n"
                    + "hint: git talk pull --history all \(address)\n"
            ),
            (title + "@101#Nothing", "\(title) has no topic “Nothing”\nhint: git talk show '\(title)@101'\n"),
            (
                "Talk:Nowhere@99",
                "Talk:Nowhere is not cached\nhint: git talk pull https://en.wiki.example/wiki/Talk:Nowhere\n"
            ),
        ] {
            let result = await page.program.run("show", typed)
            #expect(result.exitCode == .failure && result.error == "git-talk: " + error, "\(result.error)")
        }
        _ = try await page.store.purge([.init(rawValue: 103): .text], of: InventedPage.name)
        let purged = await page.program.run("diff", title, "103").error
        let log = await page.program.run("log", title).output.split(separator: "\n")
        #expect(log.prefix(5).last == "(revision 103 was purged)" && log.last == "…", "\(log)")
        #expect(purged.contains("revision 103 of \(title) was purged here or on another machine"))
    }

    @Test(arguments: [
        ("", nil, "(nothing on this page)"),
        ("<p>A bridge of stone.</p>", nil, "(no comments on this page; it has text that nobody signed)"),
        ("<h2 id=\"W\">W</h2><p>Bare.</p>", nil, "(no comments on this page; it has text that nobody signed)"),
        ("<h2 id=\"W\">W</h2>", nil, "(no comments on this page)"),
        ("<h2 id=\"W\">W</h2><p>Bare.</p><h2 id=\"V\">V</h2>", "V", "(no comments in this topic)"),
        (
            "<h2 id=\"W\">W</h2><p>Bare.</p><h2 id=\"V\">V</h2><p>Hi. ~Bob 10:00, 1 March 2024~</p>", "W",
            "(no comments in this topic; it has text that nobody signed)"
        ),
        ("<p>Hi. ~Bob 10:00, 1 March 2024~</p>", nil, nil),
    ])
    func saysWhatThereIsInsteadOfComments(html: String, topic: String?, words: String?) async throws {
        let page = try await InventedPage()
        try await page.add(7, by: "Bob", at: 60, html)
        let shown = await page.program.run("show", title + (topic.map { "#\($0)" } ?? "")).output
        if let words { #expect(shown.hasSuffix("\n\(words)\n"), "\(shown)") } else { #expect(!shown.contains("(no")) }
    }
}
