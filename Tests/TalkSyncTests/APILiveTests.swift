import Foundation
import TalkPages
import TalkSync
import Testing

/// The client against a real MediaWiki: `GIT_TALK_TEST_WIKI` is the address of its `api.php`.
///
/// `Tests/Wiki` runs one with the account and bot password used here.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["GIT_TALK_TEST_WIKI"] != nil))
struct APILiveTests {
    static let endpoint = ProcessInfo.processInfo.environment["GIT_TALK_TEST_WIKI"] ?? ""
    static let settings = NetworkSettings(userAgent: "git-talk-tests/1 (local)")

    func api() -> MediaWikiAPI { MediaWikiAPI(endpoint: Self.endpoint, settings: Self.settings) }

    @Test func describesItself() async throws {
        let wiki = try await api().siteInfo()
        #expect(wiki.generator.hasPrefix("MediaWiki 1."))
        #expect(wiki.articlePath == "/wiki/$1")
        #expect(wiki.namespaces.contains { $0.id == 3 && $0.canonical == "User talk" })
        #expect(wiki.signatureFormats.first?.months.first == "January")
        #expect(wiki.contributionsNames.first == "Contributions")
        print(wiki.key, wiki.api, wiki.generator, wiki.interwikiPrefixes.count)
    }

    @Test func isFoundFromAnArticle() async throws {
        let base = try #require(URLParts(Self.endpoint))
        for path in ["/wiki/Main_Page", "/w/index.php?title=Talk:Old_stone_bridge", "/nowhere", "/w/api.php"] {
            let address = try #require(URLParts(base.server + path))
            let found = try await MediaWikiAPI.discover(from: address, settings: Self.settings)
            #expect(found == Self.endpoint)
        }
    }

    /// Titles that are put together at random mean the same to the wiki and to `TitleParser`.
    @Test func readsTitlesAsTheWikiDoes() async throws {
        let api = api()
        let wiki = try await api.siteInfo()
        let seed = UInt64.random(in: 1...UInt64(Int64.max))
        print("seed", seed)
        var generator = SplitMix(state: seed)
        let pieces = [
            "Talk", "talk", "User", "uSer_talk", "user talk", "Project", "Image", "File talk", "Special", "Media", ":",
            ":", ":", "_", " ", "\u{A0}", "\u{3000}", "\u{200E}", "\u{202E}", "a", "é", "e\u{301}", "\u{301}", "i", "ı", "ǆ", "日", "😀", "/", ".", "..", "~", "~~~", "%41", "%", "%zz", "&amp;", "&#x41;", "&#0;", "&eacute;",
            "&nosuch;", "&", "#", "<", "[", "{", "|", "\\", "\"", "'", "+", "?", "=", "1.2.3.4", "001.02.3.4", "256.1.1.1",
            "::1", "2001:db8::A", "2001:DB8:0:0:0:0:0:1", "fe80::/10", "1.2.3.0/24", "wikipedia", "meatball", "Foo", "bar baz",
            String(repeating: "x", count: 250), "\u{FFFD}", "\u{7F}", "\u{85}", "\u{2028}", "K", "x", "9",
        ]
        var titles: Set<String> = []
        for _ in 0..<4000 {
            let count = Int.random(in: 1...6, using: &generator)
            let title = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            if !title.contains("|"), !title.trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n")).isEmpty { titles.insert(title) }
        }
        let all = titles.sorted()
        for start in stride(from: 0, to: all.count, by: 40) {
            let batch = Array(all[start..<min(start + 40, all.count)])
            let checks = try await api.check(titles: batch)
            for (title, check) in zip(batch, checks) {
                let ours: String
                do {
                    ours = wiki.localTitle(of: try TitleParser.parse(title, wiki: wiki).page)
                } catch {
                    ours = "(\(error))"
                }
                switch check.status {
                case .exists, .missing: #expect(ours == check.title, "\(title.debugDescription)")
                case .invalid, .special, .interwiki:
                    #expect(ours.hasPrefix("("), "\(title.debugDescription) \(check.status)")
                }
            }
        }
    }

    struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
