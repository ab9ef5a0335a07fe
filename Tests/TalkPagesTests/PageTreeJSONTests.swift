import TalkPages
import Testing

@Suite struct PageTreeJSONTests {
    private func entry(_ file: String, _ heading: String, _ level: Int) -> PageTreeJSON.Entry {
        PageTreeJSON.Entry(file: file, heading: heading, level: level)
    }

    @Test func writesOneSectionALine() {
        let sections = [
            PageSection(file: "sections/First_topic.html", heading: "First topic", level: 2, html: "x"),
            PageSection(file: "sections/É.html", heading: "É \"q\" \\ \t \u{1}\u{7F} / 🌉", level: 3, html: "y"),
        ]
        #expect(
            PageTreeJSON.write(sections) == """
                {"format":1,"sections":[
                {"file":"sections/First_topic.html","heading":"First topic","level":2},
                {"file":"sections/É.html","heading":"É \\"q\\" \\\\ \\u0009 \\u0001\\u007f / 🌉","level":3}
                ]}

                """)
        #expect(PageTreeJSON.write([PageSection]()) == "{\"format\":1,\"sections\":[]}\n")
    }

    @Test func readsWhatItWrote() throws {
        let entries = [
            entry("sections/A.html", "A", 2), entry("sections/A~2.html", "A", 1), entry("sections/_.html", "", 6),
            entry("sections/a%2Fb=0123456789abcdef.html", "\"\\\u{0}\n\u{2028}é", 3),
        ]
        #expect(try PageTreeJSON.read(PageTreeJSON.write(entries)) == entries)
        #expect(try PageTreeJSON.read(PageTreeJSON.write([PageTreeJSON.Entry]())) == [])
    }

    @Test(arguments: [
        "../x", "sections/../x.html", "sections/..html", "sections/.html", "sections/a/b.html", "sections/A~1.html",
        "sections/A~02.html", "sections/A~2~3.html", "sections/A~.html", "sections/~2.html", "/sections/A.html",
        "sections/a b.html", "sections/A.htm", "lede.html", "sections/.git.html", "sections/%2f.html",
        "Sections/A.html",
        "sections/A\u{0}.html", "sections/Cafe\u{301}.html",
    ])
    func refusesNamesThatAreNoSections(file: String) {
        let text = PageTreeJSON.write([entry(file, "A", 2)])
        let error = #expect(throws: TalkError.self) { try PageTreeJSON.read(text) }
        #expect(error?.kind == .damaged)
    }

    @Test(arguments: [
        "", "{}", "{\"format\":1,\"sections\":[]}", "{\"format\":2,\"sections\":[]}\n",
        "{\"format\":1,\"sections\":[\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"A\",\"level\":7}\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"A\",\"level\":0}\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"A\",\"level\":22}\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"heading\":\"A\",\"file\":\"sections/A.html\",\"level\":2}\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"A\",\"level\":2},\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"A\",\"level\":2}\n]}\nx",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"\\u0041\",\"level\":2}\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"\\n\",\"level\":2}\n]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"A",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"\\u00",
        "{\"format\":1, \"sections\":[]}\n",
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/A.html\",\"heading\":\"A\",\"level\":2},\n{\"file\":\"sections/A.html\",\"heading\":\"A\",\"level\":2}\n]}\n",
    ])
    func refusesAnyOtherForm(text: String) {
        let error = #expect(throws: TalkError.self) { try PageTreeJSON.read(text) }
        #expect(error?.kind == .damaged)
    }
}
