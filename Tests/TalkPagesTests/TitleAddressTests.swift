import TalkPages
import Testing

/// Addresses that people type, and the addresses that pages have.
@Suite struct TitleAddressTests {
    func match(_ typed: String, _ wiki: Wiki = .german) throws -> AddressMatch? {
        guard case .url(let parts) = try PageAddress.parse(typed) else { return nil }
        return wiki.match(parts)
    }

    func page(_ title: String, _ fragment: String? = nil, _ revision: Int64? = nil) -> AddressMatch {
        .page(title: title, fragment: fragment, revision: revision.map(RevisionID.init(rawValue:)))
    }

    @Test(
        arguments: [
            ("https://wiki.example/wiki/Diskussion:Br%C3%BCcke", "Diskussion:Brücke", nil, nil),
            ("  https://wiki.example/wiki/Diskussion:Brücke\n", "Diskussion:Brücke", nil, nil),
            ("HTTPS://WIKI.EXAMPLE/wiki/Diskussion:Brücke", "Diskussion:Brücke", nil, nil),
            ("https://wiki.example:443/wiki/X", "X", nil, nil), ("http://wiki.example/wiki/X", "X", nil, nil),
            ("//wiki.example/wiki/X", "X", nil, nil), ("wiki.example/wiki/Diskussion:X", "Diskussion:X", nil, nil),
            ("wiki.example/w/index.php?title=X", "X", nil, nil),
            ("https://wiki.example/wiki/Diskussion:X#Neues_Thema", "Diskussion:X", "Neues_Thema", nil),
            ("https://wiki.example/wiki/X#c-Ada-2024-Ä", "X", "c-Ada-2024-Ä", nil),
            ("https://wiki.example/wiki/X#a%20b#c", "X", "a b#c", nil),
            ("https://wiki.example/wiki/Diskussion:A/B/C", "Diskussion:A/B/C", nil, nil),
            ("https://wiki.example/wiki/A%2FB%3F", "A/B?", nil, nil),
            ("https://wiki.example/wiki/C++", "C++", nil, nil),
            ("https://wiki.example/wiki/A b", "A b", nil, nil), ("https://wiki.example/wiki/%", "%", nil, nil),
            ("https://wiki.example/w/index.php?title=Diskussion:A_b&action=edit", "Diskussion:A_b", nil, nil),
            ("https://wiki.example/w/index.php?action=history&title=A+b%2Bc", "A b+c", nil, nil),
            ("https://wiki.example/w/index.php?title=X&oldid=123#y", "X", "y", 123),
            ("https://wiki.example/wiki/X?oldid=77", "X", nil, 77),
            ("https://wiki.example/wiki/X?oldid=-1", "X", nil, nil),
            ("https://wiki.example/w/index.php/Diskussion:X", "Diskussion:X", nil, nil),
            ("https://wiki.example/wiki/Y?title=X", "X", nil, nil), ("https://wiki.example/?title=X", "X", nil, nil),
            ("https://wiki.example/w/?title=X", "X", nil, nil),
        ] as [(String, String, String?, Int64?)])
    func findsThePage(typed: String, title: String, fragment: String?, revision: Int64?) throws {
        #expect(try match(typed) == page(title, fragment, revision))
    }

    @Test(arguments: [
        "https://wiki.example/", "https://wiki.example", "https://wiki.example/wiki/",
        "https://wiki.example/w/index.php",
        "https://wiki.example/w/index.php?curid=7", "https://wiki.example/w/api.php",
    ])
    func seesThatNoPageIsNamed(typed: String) throws {
        #expect(try match(typed) == .noPage)
    }

    @Test(arguments: [
        "https://other.example/wiki/X", "https://wiki.example:8443/wiki/X", "https://wiki.example.evil.example/wiki/X",
        "https://wiki.example/forum/X",
    ])
    func seesThatItIsAnotherSite(typed: String) throws {
        #expect(try match(typed) == .otherWiki)
    }

    @Test func readsAWikiWithoutShortAddresses() throws {
        var wiki = Wiki.german
        (wiki.server, wiki.script, wiki.articlePath) = ("http://127.0.0.1:8080", "/w/index.php", "/w/index.php/$1")
        #expect(try match("http://127.0.0.1:8080/w/index.php/Talk:X#a", wiki) == page("Talk:X", "a"))
        #expect(try match("http://127.0.0.1/w/index.php/Talk:X", wiki) == .otherWiki)
        (wiki.script, wiki.articlePath) = ("/index.php", "/index.php?title=$1")
        #expect(try match("http://127.0.0.1:8080/index.php?title=Talk:X", wiki) == page("Talk:X"))
        #expect(try match("http://127.0.0.1:8080/index.php/Talk:X", wiki) == page("Talk:X"))
        #expect(try match("http://127.0.0.1:8080/", wiki) == .noPage)
    }

    @Test(arguments: [
        ("https://en.m.wikipedia.org/wiki/X", "en.wikipedia.org"),
        ("https://m.wikidata.org/wiki/X", "www.wikidata.org"),
        ("https://commons.m.wikimedia.org/wiki/X", "commons.wikimedia.org"),
        ("https://m.mediawiki.org/wiki/X", "www.mediawiki.org"),
        ("https://de.wikipedia.org/wiki/X", "de.wikipedia.org"),
        ("https://en.m.example.org/wiki/X", "en.m.example.org"), ("https://m.org/wiki/X", "m.org"),
        ("https://EN.M.WIKIPEDIA.ORG/wiki/X", "en.wikipedia.org"),
        ("https://en.m.wikipedia.org.evil.example/wiki/X", "en.m.wikipedia.org.evil.example"),
    ])
    func leavesMobileSites(typed: String, host: String) throws {
        guard case .url(let parts) = try PageAddress.parse(typed) else {
            Issue.record("not an address")
            return
        }
        #expect(parts.host == host)
        var wiki = Wiki.german
        wiki.server = "https://\(host)"
        #expect(wiki.match(parts) == page("X"))
    }

    @Test(arguments: [
        "Talk:X", "User talk:Ada#x", "http", "Talk:http://x", "A/wiki/B", "a.b", "AC/DC", "Talk:example.org/wiki/x",
        "3.5/wiki", "",
    ])
    func takesOtherTextsForTitles(typed: String) throws {
        #expect(try PageAddress.parse(typed) == .title(typed))
    }

    @Test(arguments: [
        "https://", "http:///wiki/X", "https://user:password@wiki.example/wiki/X", "https://wiki.example:0/x",
        "https://wiki.example:99999/x", "https://wiki.example:x/y", "https://wi<ki/x", "https://a\\b/x",
        "https://[::1/x",
        "https://[nonsense]/x", "https://wiki.example/a\u{0}b", "https://wiki.example/a\nb", "//",
    ])
    func refusesAddressesThatLeadNowhere(typed: String) {
        let error = #expect(throws: TalkError.self) { try PageAddress.parse(typed) }
        #expect(error?.kind == .invalid)
    }

    @Test(arguments: [
        ("https://a:b@host/x", "https://…@host/x"),
        ("see https://a@host and //b:c@d@e/f@g.", "see https://…@host and //…@e/f@g."),
        ("“https://user:pass@host/” is", "“https://…@host/” is"), ("https://host/a@b", "https://host/a@b"),
        ("mail@host", "mail@host"), ("https://a:b@", "https://…@"), ("x@y //", "x@y //"), ("//@", "//…@"),
    ])
    func hidesNamesAndPasswordsOfAddresses(text: String, shown: String) {
        #expect(AddressSecrets.hidden(in: text) == shown)
    }

    @Test(arguments: [
        ("https://user:secret@wiki.example/wiki/X", true), ("//user:secret@wiki.example/wiki/X", true),
        ("https://wiki.example:0/secret", false),
    ])
    func doesNotRepeatAPassword(typed: String, isHidden: Bool) {
        let error = #expect(throws: TalkError.self) { try PageAddress.parse(typed) }
        #expect(error?.message.contains("secret") == !isHidden)
        #expect(error?.hint != nil)
    }

    @Test(arguments: [
        ("http://127.0.0.1:80/", true), ("http://127.9.9.9/", true), ("http://localhost:8080/", true),
        ("http://[::1]/", true),
        ("https://wiki.example/", true), ("http://wiki.example/", false), ("http://127.0.0.1.evil.example/", false),
        ("http://[::2]/", false), ("http://localhost.evil.example/", false), ("http://10.0.0.1/", false),
    ])
    func knowsWhereASecretMayGo(address: String, mayGo: Bool) throws {
        #expect(try #require(URLParts(address)).mayHaveSecrets == mayGo)
    }

    @Test func takesAnAddressApart() throws {
        let parts = try #require(URLParts("https://[2001:DB8::1]:8443/a%20b?x=1&y&z=a+%2B#f"))
        #expect(parts.scheme == "https" && parts.host == "[2001:db8::1]" && parts.port == 8443)
        #expect(parts.path == "/a%20b")
        #expect(
            parts.value("x") == "1" && parts.value("y") == "" && parts.value("z") == "a +" && parts.value("w") == nil)
        #expect(parts.server == "https://[2001:db8::1]:8443")
        #expect(parts.withoutFragment == "https://[2001:db8::1]:8443/a%20b?x=1&y&z=a+%2B")
        #expect(parts.fragment == "f")
        #expect(URLParts("http://a:80")?.server == "http://a")
        #expect(URLParts("http://a:443")?.server == "http://a:443")
    }

    // MARK: Names and addresses of pages

    @Test(
        arguments: [
            ("Talk", "Alte Brücke", nil, "https://wiki.example/wiki/Diskussion:Alte_Br%C3%BCcke"),
            ("Main", "A/B?c=d&e", nil, "https://wiki.example/wiki/A/B%3Fc%3Dd%26e"),
            ("User talk", "Ada", "Neues Thema", "https://wiki.example/wiki/Benutzer_Diskussion:Ada#Neues_Thema"),
            ("Main", "100% \"x\"", "50%20 <ä>", "https://wiki.example/wiki/100%25_%22x%22#50%2520_%3Cä%3E"),
            ("Main", ";@$!*(),~:", nil, "https://wiki.example/wiki/;@$!*(),~:"),
        ] as [(String, String, String?, String)])
    func writesAddressesAsTheWikiDoes(namespace: String, title: String, fragment: String?, url: String) throws {
        let name = PageName(wiki: "wiki.example", namespace: namespace, title: title)
        #expect(Wiki.german.url(of: name, fragment: fragment) == url)
        guard case .page(let text, _, _)? = try match(url) else {
            Issue.record("not found again")
            return
        }
        #expect(try TitleParser.parse(text, wiki: .german).page == name)
    }

    @Test func knowsThePageWhereAPageIsTalkedAbout() {
        let name = { PageName(wiki: "wiki.example", namespace: $0, title: "X") }
        #expect(Wiki.german.talkPage(of: name("Main")) == name("Talk"))
        #expect(Wiki.german.talkPage(of: name("User")) == name("User talk"))
        #expect(Wiki.german.talkPage(of: name("User talk")) == name("User talk"))
        #expect(Wiki.german.talkPage(of: name("Special")) == nil)
        #expect(Wiki.german.talkPage(of: name("Nowhere")) == nil)
        #expect(Wiki.german.isTalkPage(name("User talk")) && !Wiki.german.isTalkPage(name("Project")))
        #expect(Wiki.german.localTitle(of: name("Project talk")) == "Beispielwiki Diskussion:X")
        #expect(Wiki.german.localTitle(of: name("Nowhere")) == "Nowhere:X")
    }

    @Test(arguments: [
        ("https://en.wikipedia.org", "/w", "en.wikipedia.org"), ("//de.wikipedia.org", "/w", "de.wikipedia.org"),
        ("https://en.m.wikipedia.org", "/w", "en.wikipedia.org"), ("https://Wiki.Example:443", "/w", "wiki.example"),
        ("http://127.0.0.1:8080", "", "127.0.0.1:8080/"), ("http://127.0.0.1:8080", "/w", "127.0.0.1:8080"),
        ("https://wiki.example", "/mediawiki", "wiki.example/mediawiki"), ("http://[::1]:81", "/w", "[::1]:81"),
        ("https://wiki.example:80", "/w", "wiki.example:80"),
    ])
    func namesWikis(server: String, scriptPath: String, key: String) {
        #expect(Wiki.key(server: server, scriptPath: scriptPath) == key)
    }
}
