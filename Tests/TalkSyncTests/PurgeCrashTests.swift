import Foundation
import Synchronization
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Stops a recheck before each change of the disk and at each request; the next one makes up for it.
@Suite(.temporaryDirectory) struct PurgeCrashTests {
    private static let words = ["Hushabye", "Lullaby", "Nurse"]

    @Test func comesToTheSameEndWhereverTheProgramDies() async throws {
        let expected = TemporaryDirectory.current.appending(path: "expected").path
        try await Script.prepare(expected)
        #expect(try Self.words.allSatisfy { try Script.finds($0, in: expected) })
        let steps = Steps(stopAt: nil)
        try await Script.recheck(expected, steps)
        let names = steps.names
        #expect(names.contains("move purge record") && names.contains("move branch") && names.contains("list"))
        #expect(names.contains("delete remote-tracking branch") && names.contains("write purge log"))
        let end = try await Script.end(expected)
        #expect(
            end.count { $0.hasSuffix(" 10 text") } == 2 && end.count { $0.hasSuffix(" 11 user summary") } == 2, "\(end)"
        )

        for step in 1...names.count {
            let path = TemporaryDirectory.current.appending(path: "stopped-\(step)").path
            try await Script.prepare(path)
            await #expect(processExitsWith: .exitCode(77)) {
                [path = path as String, step = step as Int] in
                try await Script.recheck(path, Steps(stopAt: step))
            }
            let comment = Comment(rawValue: "stopped at \(step), \(names[step - 1])")
            #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: path).status == 0, comment)
            try await Script.recheck(path, Steps(stopAt: nil))
            let healed = try await Script.end(path)
            #expect(healed == end, comment)
            for word in Self.words { #expect(try !Script.finds(word, in: path), comment) }
        }
    }

    /// Counts the changes of the disk and the requests, and ends the program at one of them.
    private final class Steps: Sendable {
        private let state = Mutex<[String]>([])
        private let stop: Int?

        init(stopAt stop: Int?) { self.stop = stop }

        var names: [String] { state.withLock { $0 } }
        var faults: StoreFaults { StoreFaults { self.reach($0) } }

        func reach(_ name: String) {
            let count = state.withLock { names in
                names.append(name)
                return names.count
            }
            if count == stop { _exit(77) }
        }
    }

    /// A page that was moved, so that its history stands at two titles, with a reply that waits, and a copy of a hub's.
    private enum Script {
        static let title = "Talk:Bridge"
        static let text =
            #"<p>How wide? <a href="/wiki/User:Bob" title="User:Bob">Bob</a> 10:00, 1 March 2024 (UTC)</p>"#
        static let revisions = [
            PaperPages.Revision(10, text + "<p>Hushabye</p>"),
            PaperPages.Revision(11, text, by: "Nurse", "Lullaby"), PaperPages.Revision(12, text + "<p>.</p>"),
        ]

        static func page(_ site: Wiki, _ title: String = "Bridge") -> PageName {
            PageName(wiki: site.key, namespace: "Talk", title: title)
        }

        static func client(_ paper: PaperPages) -> MediaWikiAPI {
            MediaWikiAPI(endpoint: paper.api, settings: NetworkSettings(userAgent: "test/1"))
        }

        static func prepare(_ path: String) async throws {
            let paper = PaperPages()
            paper.set(title, revisions)
            var site = try await client(paper).siteInfo()
            // The same for all: each process has a wiki at another port.
            site.key = "paper.example"
            let store = try Store.create(at: path), page = page(site)
            try await store.save(site)
            _ = try await PagePuller(api: client(paper), store: store, wiki: site, history: 3, now: 0).pull(page)
            let former = Self.page(site, "Former")
            try await store.copyRevisions(of: PageID(rawValue: 10), from: page, to: former)
            try await PageThreads(store: store, wiki: site).refresh(former)
            let tip = try #require(try await store.tip(of: page)?.commit)
            let remote = "refs/remotes/hub/" + StoreLayout.component(of: page)
            try #require(try runGit(["update-ref", remote, tip], in: path).status == 0)
            let threads = try #require(try await PageThreads.current(of: page, store: store, wiki: site))
            let index = try #require(threads.items.firstIndex { $0.author == "Bob" })
            let composer = ReplyComposer(store: store, wiki: site)
            _ = try await composer.reply(
                "I stay.", to: try await composer.prepare(page, threads, item: index), account: "Alice",
                id: ReplyID.make(milliseconds: 1_800_000_000_000, random: (1, 1)), now: 1_800_000_000,
                expires: 1_900_000_000)
        }

        /// What `pull --recheck` does, packing included.
        static func recheck(_ path: String, _ steps: Steps) async throws {
            let paper = PaperPages()
            paper.set(title, revisions)
            paper.add { kind, call in
                steps.reach(kind)
                guard !call["revids"].isEmpty else { return nil }
                let found =
                    #"{"revid":10,"parentid":0,"timestamp":"2024-03-01T12:00:00Z","user":"Bob","comment":"","texthidden":true},"#
                    + #"{"revid":11,"parentid":10,"timestamp":"2024-03-01T12:01:00Z","userhidden":true,"commenthidden":true},"#
                    + #"{"revid":12,"parentid":11,"timestamp":"2024-03-01T12:02:00Z","user":"Bob","comment":""}"#
                return .json(#"{"query":{"pages":[{"pageid":10,"title":"\#(title)","revisions":[\#(found)]}]}}"#)
            }
            let store = try Store.open(at: path, wait: 10, faults: steps.faults)
            let site = try #require(try store.wikis().first)
            _ = try await PagePuller(api: client(paper), store: store, wiki: site, history: 3, now: 0).pull(page(site))
            _ = try await PageRecheck(api: client(paper), store: store, wiki: site).run(page(site), time: "now")
            for arguments in [["repack", "-a", "-d", "-q"], ["prune", "--expire=now"]] {
                try #require(try runGit(arguments, in: path).status == 0)
            }
        }

        /// Everything that one can see at the end, and that nothing is wrong with it.
        static func end(_ path: String) async throws -> [String] {
            #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: path).output == "")
            let store = try Store.open(at: path)
            let site = try #require(try store.wikis().first)
            var lines = try runGit(["for-each-ref", "--format=%(refname) %(objectname)"], in: path).output
                .split(separator: "\n").map(String.init)
            for title in ["Bridge", "Former"] {
                let cached = try #require(try store.reader.page(page(site, title)))
                lines.append("\(cached.stamp.commit) \(cached.content.lede) \(cached.pending.map(\.id))")
                let threads = try store.threads(of: page(site, title))
                #expect(threads?.treeID == cached.stamp.tree)
                lines.append("\(threads?.items.map(\.text) ?? [])")
            }
            lines += try store.outbox().entries.map { "\($0.reply.id) \($0.state)" }
            let log = try String(contentsOfFile: store.layout.purgeLog, encoding: .utf8)
            return lines + log.split(separator: "\n").map(String.init).sorted()
        }

        /// Whether a word stands in an object, referred to or not, or in a file.
        static func finds(_ word: String, in path: String) throws -> Bool {
            let all = ["cat-file", "--batch-all-objects", "--unordered", "--batch"]
            if try runGit(all, in: path).output.contains(word) { return true }
            for file in try FileManager.default.subpathsOfDirectory(atPath: path) where !file.hasPrefix(".git/objects")
            {
                let text = FileManager.default.contents(atPath: "\(path)/\(file)").map {
                    String(decoding: $0, as: UTF8.self)
                }
                if text?.contains(word) == true { return true }
            }
            return false
        }
    }
}
