import TalkPages
import Testing

/// MediaWiki's rules for titles, worked out by hand from its documentation and its answers.
@Suite struct TitleParserTests {
    typealias Row = (text: String, namespace: String, title: String, fragment: String?)

    static let accepted: [Row] = [
        // Namespaces: local, alias, canonical; case and underscores do not matter.
        ("Diskussion:Brücke", "Talk", "Brücke", nil), ("diskussion:brücke", "Talk", "Brücke", nil),
        ("DISKUSSION:Brücke", "Talk", "Brücke", nil), ("Talk:Brücke", "Talk", "Brücke", nil),
        ("tAlK : Brücke", "Talk", "Brücke", nil), ("Benutzer Diskussion:Ada", "User talk", "Ada", nil),
        ("benutzer_diskussion:_ada_", "User talk", "Ada", nil), ("User talk:Ada", "User talk", "Ada", nil),
        ("user__talk:Ada", "User talk", "Ada", nil), ("Benutzerin Diskussion:Ada", "User talk", "Ada", nil),
        ("bd:Ada", "User talk", "Ada", nil), ("BW:Teestube", "Project", "Teestube", nil),
        ("Project talk:Teestube", "Project talk", "Teestube", nil), ("Bild:x.png", "File", "X.png", nil),
        ("Brücke", "Main", "Brücke", nil), (":Brücke", "Main", "Brücke", nil), (": Brücke", "Main", "Brücke", nil),
        (":Diskussion:Brücke", "Talk", "Brücke", nil), ("Unbekannt:Brücke", "Main", "Unbekannt:Brücke", nil),
        ("Main:Brücke", "Main", "Main:Brücke", nil), ("wörterbuch:apfel", "Wörterbuch", "apfel", nil),
        ("WÖRTERBUCH DISKUSSION:apfel", "Wörterbuch Diskussion", "apfel", nil),
        ("Diskussion:Unbekannt:x", "Talk", "Unbekannt:x", nil), ("Diskussion:a:b:c", "Talk", "A:b:c", nil),
        ("User:Talk:x", "User", "Talk:x", nil), ("Diskussion:10:30", "Talk", "10:30", nil),
        // White space.
        ("  Diskussion:Alte   Brücke  ", "Talk", "Alte Brücke", nil),
        ("Diskussion:Alte__Brücke", "Talk", "Alte Brücke", nil),
        ("Diskussion:Alte _ _Brücke\n", "Talk", "Alte Brücke", nil),
        ("Diskussion:\u{A0}Alte\u{3000}\u{2003}Brücke\u{2029}", "Talk", "Alte Brücke", nil),
        ("\u{1680}Diskussion:\u{180E}x\u{202F}y\u{205F}", "Talk", "X y", nil), ("Diskussion:_:x", "", "", nil),
        // Invisible marks of direction.
        ("\u{200E}Diskussion:\u{200F}Br\u{202A}ücke\u{202E}", "Talk", "Brücke", nil),
        ("Dis\u{200E}kussion:x", "Talk", "X", nil), ("Diskussion:a\u{200D}b", "Talk", "A\u{200D}b", nil),
        ("Diskussion:مكتبة", "Talk", "مكتبة", nil),
        // Unicode.
        ("Diskussion:Bru\u{308}cke", "Talk", "Br\u{FC}cke", nil),
        ("Diskussion:e\u{301}t\u{E9}", "Talk", "\u{C9}t\u{E9}", nil),
        ("Diskussion:日本", "Talk", "日本", nil), ("Diskussion:😀 x", "Talk", "😀 x", nil),
        ("Diskussion:\u{301}x", "Talk", "\u{301}x", nil), ("Diskussion:x_\u{301}y", "Talk", "X \u{301}y", nil),
        ("Diskussion:ßa", "Talk", "ßa", nil), ("Diskussion:აბ", "Talk", "აბ", nil), ("Diskussion:ǆ", "Talk", "Ǆ", nil),
        ("Diskussion:ﬁx", "Talk", "ﬁx", nil), ("Diskussion:ω", "Talk", "Ω", nil), ("Diskussion:ıx", "Talk", "Ix", nil),
        // Character references.
        ("Diskussion:A&amp;B", "Talk", "A&B", nil), ("Diskussion:&eacute;t&#233;", "Talk", "Été", nil),
        ("Diskussion:&#x41;&#X42;", "Talk", "AB", nil), ("Diskussion&#58;x", "Talk", "X", nil),
        ("Diskussion:a&b", "Talk", "A&b", nil), ("Diskussion:a&#;b&;", "Talk", "A&", ";b&;"),
        ("Diskussion:AT&T", "Talk", "AT&T", nil), ("Diskussion:a&#x1F600;", "Talk", "A😀", nil),
        // Fragments.
        ("Diskussion:Brücke#Abschnitt 1", "Talk", "Brücke", "Abschnitt 1"),
        ("Diskussion:Brücke#A_b#c:d", "Talk", "Brücke", "A b#c:d"), ("Diskussion:Brücke_#x", "Talk", "Brücke", "x"),
        ("Diskussion:Brücke#", "Talk", "Brücke", nil), ("Brücke#[<|>]", "Main", "Brücke", "[<|>]"),
        // Characters that look wrong and are not.
        ("Diskussion:100%", "Talk", "100%", nil), ("Diskussion:50% x", "Talk", "50% x", nil),
        ("Diskussion:%zz", "Talk", "%zz", nil),
        ("Diskussion:C++", "Talk", "C++", nil), ("Diskussion:\"x\" & 'y'?", "Talk", "\"x\" & 'y'?", nil),
        ("Diskussion:a/b/c", "Talk", "A/b/c", nil), ("Diskussion:...", "Talk", "...", nil),
        ("Diskussion:.x", "Talk", ".x", nil),
        ("Diskussion:a/.x", "Talk", "A/.x", nil), ("Diskussion:x.", "Talk", "X.", nil),
        ("Diskussion:a~~b", "Talk", "A~~b", nil),
        ("Diskussion:a\\b", "Talk", "A\\b", nil), ("Diskussion:/", "Talk", "/", nil),
        ("Diskussion:-o option", "Talk", "-o option", nil), ("Diskussion:^;=!@$*()", "Talk", "^;=!@$*()", nil),
        // Users without an account.
        ("Benutzer Diskussion:2001:db8::a", "User talk", "2001:DB8:0:0:0:0:0:A", nil),
        ("BD:2001:0DB8:0000:0000:0000:0000:0000:000A", "User talk", "2001:DB8:0:0:0:0:0:A", nil),
        ("BD:::1", "User talk", "0:0:0:0:0:0:0:1", nil), ("BD:fe80::", "User talk", "FE80:0:0:0:0:0:0:0", nil),
        ("BD:::", "User talk", "0:0:0:0:0:0:0:0", nil),
        ("BD:2001:db8::/32", "User talk", "2001:DB8:0:0:0:0:0:0/32", nil),
        ("BD:192.000.02.033", "User talk", "192.0.2.33", nil), ("BD:192.0.2.0/24", "User talk", "192.0.2.0/24", nil),
        ("BD:192.0.2.256", "User talk", "192.0.2.256", nil), ("BD:2001:db8:x::", "User talk", "2001:db8:x::", nil),
        ("Diskussion:2001:db8::a", "Talk", "2001:db8::a", nil), ("BD:192.0.2.0/33", "User talk", "192.0.2.0/33", nil),
        // Prefixes of this very wiki.
        ("de:Diskussion:x", "Talk", "X", nil), ("Hier:de:Benutzer:ada", "User", "Ada", nil),
        ("de::x", "Main", "X", nil),
    ].filter { !$0.1.isEmpty }

    @Test(arguments: accepted.indices) func reads(row: Int) throws {
        let (text, namespace, title, fragment) = Self.accepted[row]
        let parsed = try TitleParser.parse(text, wiki: .german)
        let page = PageName(wiki: "wiki.example", namespace: namespace, title: title)
        #expect(parsed.page == page, "\(text.debugDescription)")
        #expect(Array(parsed.page.title.unicodeScalars) == Array(title.unicodeScalars), "\(text.debugDescription)")
        #expect(parsed.fragment == fragment, "\(text.debugDescription)")
        // What the wiki would write is read as the same page.
        let again = try TitleParser.parse(Wiki.german.localTitle(of: parsed.page), wiki: .german)
        #expect(again.page == parsed.page && again.fragment == nil)
    }

    static let refused: [(text: String, reason: String)] = [
        ("", "it is empty"), ("   ", "it is empty"), ("_", "it is empty"), (":", "it is empty"),
        ("\u{200E}", "it is empty"),
        ("Diskussion:", "it names no page"), ("Diskussion:#x", "it names no page"), ("#x", "it names no page"),
        ("::x", "it begins with a colon"), ("Diskussion::x", "it begins with a colon"),
        ("Diskussion:_:x", "it begins with a colon"),
        ("a<b", "it contains “<”"), ("a>b", "it contains “>”"), ("a[b", "it contains “[”"), ("a]b", "it contains “]”"),
        ("a|b", "it contains “|”"), ("a{b", "it contains “{”"), ("a}b", "it contains “}”"),
        ("&lt;b&gt;", "it contains “<”"),
        ("a\u{7F}b", "it contains a control character"), ("a\tb", "it contains a control character"),
        ("a\nb", "it contains a control character"), ("a\u{1B}[0m", "it contains a control character"),
        ("a\u{0}b", "it contains a control character"), ("a\u{FFFD}", "it contains something that is not a character"),
        ("a&#0;", "it contains something that is not a character"),
        ("a&#xD800;", "it contains something that is not a character"),
        ("a\u{FFFF}", "it contains “\u{FFFF}”"), ("a%41b", "it contains a percent sign"),
        ("%C3%A9", "it contains a percent sign"),
        ("a&nosuch;b", "it contains an HTML character reference"),
        ("&amp;amp;", "it contains an HTML character reference"),
        (".", "it contains “.” or “..” as a step"), ("..", "it contains “.” or “..” as a step"), ("./x", "as a step"),
        ("../x", "as a step"), ("x/./y", "as a step"), ("x/../y", "as a step"), ("x/.", "as a step"),
        ("x/..", "as a step"),
        ("Diskussion:..", "as a step"), ("a~~~b", "it contains “~~~”"), ("~~~~", "it contains “~~~”"),
        ("Diskussion:" + String(repeating: "ä", count: 128), "it is longer than 255 bytes"),
        ("Spezial:Version", "is made up by the wiki"), ("special:Beiträge/Ada", "is made up by the wiki"),
        ("Medium:x.png", "is made up by the wiki"), ("en:Bridge", "belongs to another wiki"),
        ("Commons:File:x.png", "belongs to another wiki"), (":w:x", "belongs to another wiki"),
        ("de:en:x", "belongs to another wiki"), ("Diskussion:Datei:x", "cannot stand together"),
        ("Talk:user:x", "cannot stand together"), ("Talk:en:x", "cannot stand together"),
    ]

    @Test(arguments: refused.indices) func refuses(row: Int) {
        let (text, reason) = Self.refused[row]
        let error = #expect(throws: TalkError.self) { try TitleParser.parse(text, wiki: .german) }
        #expect(error?.kind == .invalid)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        let controls = error?.message.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls?.isEmpty == true)
    }

    @Test func takesTheLongestTitle() throws {
        let longest = "Ä" + String(repeating: "ä", count: 126) + "x"
        #expect(longest.utf8.count == 255)
        #expect(try TitleParser.parse("Diskussion:" + longest, wiki: .german).page.title == longest)
    }

    @Test func suggestsTheTalkPageOfAPrefixedTitle() {
        let error = #expect(throws: TalkError.self) { try TitleParser.parse("Talk:Bild:x.png", wiki: .german) }
        #expect(error?.hint == "did you mean “Datei Diskussion:x.png”?")
    }

    @Test(arguments: [("tr", "İx"), ("az", "İx"), ("kaa", "İx"), ("de", "Ix"), ("kk", "Ix")])
    func raisesTheFirstLetterAsItsLanguageDoes(language: String, title: String) throws {
        var wiki = Wiki.german
        wiki.language = language
        #expect(try TitleParser.parse("ix", wiki: wiki).page.title == title)
    }

    /// Whatever comes, it ends with a title or a reason, and a title that is read twice stays what it is.
    @Test func staysTheSameWhenReadAgain() throws {
        var generator = TitleRandom(state: UInt64.random(in: 1...UInt64.max))
        let seed = generator.state
        let pieces = [
            "Talk", "Benutzer", ":", "_", " ", "#", "/", ".", "~", "%", "&", ";", "&amp;", "&#x3A;", "en", "de", "x",
            "ä",
            "\u{301}", "\u{200E}", "\u{3000}", "1", "::", "192.0.2.1", "é", "😀", "\u{FE0F}", "<", "\u{0}",
        ]
        var accepted = 0
        for _ in 0..<5000 {
            let count = Int.random(in: 1...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard let page = try? TitleParser.parse(text, wiki: .german).page else { continue }
            accepted += 1
            let local = Wiki.german.localTitle(of: page)
            let again = try? TitleParser.parse(local, wiki: .german)
            #expect(again?.page == page && again?.fragment == nil, "seed \(seed): \(text.debugDescription)")
        }
        #expect(accepted > 500, "seed \(seed)")
    }
}

/// Numbers that a seed decides.
struct TitleRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
