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

    @Test func readsAHistoryAndItsRevisions() async throws {
        let api = api()
        let title = "Talk:Old stone bridge"
        let check = try #require(try await api.check(titles: [title, "Talk:No such page 7"]).first)
        #expect(check.status == .exists)
        let all = try await api.revisions(of: .title(title), limit: 100)
        #expect(all.first?.id == check.latest)
        #expect(all.last?.parent.rawValue == 0)
        let newest = try #require(all.first)
        let three = try await api.revisions(of: .id(newest.page), limit: 3, from: newest.id, withText: true)
        #expect(three.map(\.id) == Array(all.prefix(3).map(\.id)))
        let oldest = try await api.revisions(of: .title(title), limit: 2, direction: .newer)
        #expect(oldest.map(\.id) == Array(all.suffix(2).map(\.id).reversed()))
        let text = try await api.wikitext(of: newest.id)
        #expect(text.text == three.first?.text)
        #expect(text.title == title)

        let page = try await api.parse(revision: newest.id)
        #expect(page.revision == newest.id)
        #expect(page.title == title)
        #expect(page.sections.count > 1)
        #expect(page.html.contains(page.sections[0].anchor))
        #expect(!page.html.contains("mw-editsection"))
        #expect(!page.html.contains("NewPP"))
        let same = try await api.parse(title: title)
        #expect(same == page)
    }

    @Test func saysWhatIsNotThere() async throws {
        let api = api()
        await #expect(throws: TalkError.self) { try await api.parse(title: "Talk:No such page 7") }
        do {
            _ = try await api.parse(revision: RevisionID(rawValue: 99_999_999))
        } catch {
            #expect(error.kind == .notFound)
            print(error.message)
        }
        do {
            _ = try await api.revisions(of: .title("Talk:No such page 7"), limit: 3)
        } catch {
            #expect(error.kind == .notFound)
            print(error.message)
        }
    }

    @Test func logsInAndEdits() async throws {
        let api = api()
        do {
            try await api.login(user: "Alice@git-talk", botPassword: "wrongwrongwrongwrongwrongwrong00")
            Issue.record("logged in with a wrong password")
        } catch {
            #expect(error.kind == .refused)
            #expect(!error.message.contains("wrongwrong"))
            print(error.message, error.hint ?? "")
        }
        let name = try await api.login(user: "Alice@git-talk", botPassword: "localwikipasswordofalice00000000")
        #expect(name == "Alice")
        let user = try await api.userInfo()
        #expect(user.name == "Alice" && !user.isAnonymous && user.mayEdit)
        let signature = try await api.expandedSignature()
        #expect(signature.signature.contains("User:Alice"))
        #expect(signature.date.hasSuffix("(UTC)"))

        let title = "Talk:Live test \(UInt32.random(in: 0...UInt32.max))"
        let first = EditRequest(
            page: .title(title), text: "== One ==\nHello. ~~~~", summary: "/* One */ new section", base: nil,
            started: nil, existence: .mustNotExist, account: "Alice")
        guard case .saved(let new, let old, let time) = await api.edit(first) else {
            Issue.record("not saved")
            return
        }
        #expect(old.rawValue == 0 && time != nil)
        let again = await api.edit(first)
        if case .refused(let error) = again {
            #expect(error.code == "articleexists" && error.errorClass == .recoverOnce)
        } else {
            Issue.record("\(again)")
        }
        let text = try await api.wikitext(of: new)
        let preview = try await api.parsePreview(wikitext: text.text + "\n:Preview. ~~~~", title: title)
        #expect(preview.html.contains("Preview. <a"))
        #expect(preview.sections.map(\.line) == ["One"])

        let reply = EditRequest(
            page: .title(title), section: 1, text: text.text + "\n:Reply. ~~~~", summary: "/* One */ Reply", base: new,
            started: text.serverTime, account: "Alice")
        guard case .saved(let second, new, _) = await api.edit(reply) else {
            Issue.record("reply not saved")
            return
        }
        let resend = await api.edit(reply)
        if case .refused(let error) = resend {
            #expect(error.code == "editconflict")
        } else {
            Issue.record("\(resend)")
        }
        let latest = try await api.wikitext(of: second)
        let same = await api.edit(
            EditRequest(
                page: .title(title), section: 1, text: latest.text, summary: "x", base: second, started: nil,
                account: "Alice"))
        #expect(same == .noChange)
        var foreign = reply
        foreign.account = "Bob"
        let refused = await api.edit(foreign)
        if case .refused(let error) = refused {
            #expect(error.code == "assertnameduserfailed")
        } else {
            Issue.record("\(refused)")
        }
        let special = try await api.check(titles: [title, "Special:Version"], testsEdit: true)
        #expect(special[0].editError == nil && special[0].latest == second)
        try await api.logout()
        #expect(try await api.userInfo().isAnonymous)
    }

    /// Titles that are put together at random mean the same to the wiki and to `TitleParser`.
    @Test func readsTitlesAsTheWikiDoes() async throws {
        let api = api()
        let wiki = try await api.siteInfo()
        let given = ProcessInfo.processInfo.environment["GIT_TALK_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 1...UInt64(Int64.max))
        print("seed", seed)
        var generator = SplitMix(state: seed)
        let pieces = [
            "Talk", "talk", "User", "uSer_talk", "user talk", "Project", "Image", "File talk", "Special", "Media", ":",
            ":", ":", "_", " ", "\u{A0}", "\u{3000}", "\u{200E}", "\u{202E}", "a", "é", "e\u{301}", "\u{301}", "i", "ı",
            "ǆ", "日", "😀", "/", ".", "..", "~", "~~~", "%41", "%", "%zz", "&amp;", "&#x41;", "&#0;", "&eacute;",
            "&nosuch;", "&", "#", "<", "[", "{", "|", "\\", "\"", "'", "+", "?", "=", "1.2.3.4", "001.02.3.4",
            "256.1.1.1",
            "::1", "2001:db8::A", "2001:DB8:0:0:0:0:0:1", "fe80::/10", "1.2.3.0/24", "wikipedia", "meatball", "Foo",
            "bar baz",
            String(repeating: "x", count: 250), "\u{FFFD}", "\u{7F}", "\u{85}", "\u{2028}", "K", "x", "9",
        ]
        var titles: Set<String> = []
        for _ in 0..<4000 {
            let count = Int.random(in: 1...6, using: &generator)
            let title = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            if !title.contains("|"), !title.trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n")).isEmpty {
                titles.insert(title)
            }
        }
        // Not in order: of forty that are nothing but a fragment the wiki says nothing at all.
        let all = titles.sorted().shuffled(using: &generator)
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
