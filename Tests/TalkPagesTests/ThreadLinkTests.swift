import Testing

@testable import TalkPages

@Suite struct ThreadLinkTests {
    static let wiki = Wiki(
        key: "w.example", api: "", server: "https://w.example", articlePath: "/wiki/$1", script: "/w/index.php",
        generator: "", siteName: "", language: "de", isRightToLeft: false, timezone: "UTC",
        namespaces: [
            Namespace(id: -1, name: "Spezial", canonical: "Special"), Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Diskussion", canonical: "Talk"),
            Namespace(id: 2, name: "Benutzer", canonical: "User", aliases: ["Benutzerin"]),
            Namespace(id: 3, name: "Benutzer Diskussion", canonical: "User talk", aliases: ["BD"]),
            Namespace(id: 100, name: "Klein", canonical: "Klein", isCaseSensitive: true),
        ],
        interwikiPrefixes: ["en"], contributionsNames: ["Beiträge", "Contributions"], signatureFormats: [],
        hasDiscussionTools: false, localInterwikiPrefixes: ["de"])

    @Test(arguments: [
        ("Benutzer:ann_b", LinkTitle(namespace: 2, text: "Ann b")),
        ("benutzerin : Ann", LinkTitle(namespace: 2, text: "Ann")),
        ("USER_TALK:Ann", LinkTitle(namespace: 3, text: "Ann")),
        ("User talk:  Ann  B ", LinkTitle(namespace: 3, text: "Ann B")),
        (":User:Ann#x", LinkTitle(namespace: 2, text: "Ann")),
        ("bd:ö", LinkTitle(namespace: 3, text: "Ö")),
        ("Benutzer:ß", LinkTitle(namespace: 2, text: "ß")),
        ("Benutzer:გ", LinkTitle(namespace: 2, text: "გ")),
        ("en:User:Ann", LinkTitle(namespace: 0, text: "User:Ann", isExternal: true)),
        ("de:User:Ann", LinkTitle(namespace: 2, text: "Ann")),
        ("Benutzer:A&amp;b", LinkTitle(namespace: 2, text: "A&b")),
        ("Benutzer:A&nbsp;e\u{301}", LinkTitle(namespace: 2, text: "A é")),
        ("Nothing:Ann", LinkTitle(namespace: 0, text: "Nothing:Ann")),
        ("Klein:ann", LinkTitle(namespace: 100, text: "ann")),
        ("Benutzer:\u{200E}Ann\u{202C}", LinkTitle(namespace: 2, text: "Ann")),
        ("Benutzer:1.2.3.004", LinkTitle(namespace: 2, text: "1.2.3.4")),
        ("Benutzer:::1", LinkTitle(namespace: 2, text: "0:0:0:0:0:0:0:1")),
        ("Benutzer:2001:0db8::a:0", LinkTitle(namespace: 2, text: "2001:DB8:0:0:0:0:A:0")),
    ])
    func readsTitles(title: String, expected: LinkTitle) {
        #expect(LinkTitles(Self.wiki).parse(title) == expected)
    }

    @Test(arguments: [
        "Benutzer:", "Benutzer:a[b", "Benutzer:a|b", "Benutzer:<b>", "Benutzer:a%41", "Benutzer:&none;",
        "Benutzer:a~~~",
        "Benutzer:\u{FFFD}", "Benutzer:a#\u{FFFD}", "Benutzer:&#65534;", "Benutzer:a/../b", "Benutzer:a\u{1}",
        "Benutzer::a",
        "Benutzer:" + String(repeating: "x", count: 256),
    ])
    func refusesWhatIsNoTitle(title: String) {
        #expect(LinkTitles(Self.wiki).parse(title) == nil)
    }

    /// What follows the page name of the contributions is a user name, whatever it looks like.
    @Test func takesContributionsForThoseOfAUser() {
        let titles = LinkTitles(Self.wiki)
        #expect(titles.userName("ann_b") == "Ann b")
        #expect(titles.userName("Benutzer:ann") == "Benutzer:ann")
        #expect(titles.userName("en:ann") == "En:ann")
        #expect(titles.userName("::1") == "0:0:0:0:0:0:0:1")
        #expect(titles.userName(":ann") == nil)
        #expect(titles.userName("") == nil)
    }

    @Test func raisesTheFirstLetterAsTheLanguageDoes() {
        var turkish = Self.wiki
        turkish.language = "tr"
        #expect(LinkTitles(turkish).parse("Benutzer:ismet") == LinkTitle(namespace: 2, text: "İsmet"))
        #expect(LinkTitles(Self.wiki).parse("Benutzer:ismet") == LinkTitle(namespace: 2, text: "Ismet"))
    }

    @Test(arguments: [
        "1.2.3", "1.2.3.256", "1.2.3.4.5", "a.b.c.d", ":", ":::", "1:2:3", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::",
        "::1/129",
    ])
    func knowsWhatIsNoAddress(text: String) { #expect(InternetAddress.canonical(text) == nil) }

    @Test func decodesPercentSigns() {
        #expect(PercentEncoding.decoded("a%20b%C3%A9") == "a bé")
        #expect(PercentEncoding.decoded("a+b%2B", plusIsSpace: true) == "a b+")
        #expect(PercentEncoding.decoded("a+b") == "a+b")
        #expect(PercentEncoding.decoded("100%") == "100%")
        #expect(PercentEncoding.decoded("%E9") == nil)
    }

    @Test func cutsPartsOfIdentifiers() {
        #expect(ThreadIdentifiers.cut("__a_b__") == "a_b")
        #expect(ThreadIdentifiers.cut("___") == "")
        #expect(ThreadIdentifiers.cut(String(repeating: "a", count: 81)) == String(repeating: "a", count: 80))
        // 80 bytes would divide the 27th letter of three bytes.
        #expect(ThreadIdentifiers.cut(String(repeating: "語", count: 30)) == String(repeating: "語", count: 26))
        #expect(ThreadIdentifiers.cut(String(repeating: "a", count: 79) + "_b") == String(repeating: "a", count: 79))
    }
}
