import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct PageDirectoryTests {
    private var directory: String { StoreLayout(root: storePath()).pageDirectory(of: bridge) }

    private func information(_ file: String) throws -> FileInformation? {
        try Files.information("\(directory)/\(file)")
    }

    @Test func equalsTheTreeOfTheTip() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one", "two"]))], to: bridge)
        let tip = try #require(try await store.tip(of: bridge))
        #expect(try Files.list(directory) == [".stamp", "lede.html", "page.json", "sections"])
        for file in try git("ls-tree", "-r", "--name-only", tip.tree, in: storePath()).split(separator: "\n") {
            let blob = try git("cat-file", "blob", "\(tip.tree):\(file)", in: storePath())
            #expect(try Files.read("\(directory)/\(file)") == Array(blob.utf8))
            #expect(try information(String(file))?.permissions == 0o444)
        }
        let stamp = try #require(try store.reader.stamp(of: bridge))
        #expect(stamp.commit == tip.commit)
        #expect(stamp.tree == tip.tree)
        #expect(stamp.files.map(\.path) == ["lede.html", "page.json", "sections/T1.html", "sections/T2.html"])
    }

    @Test func writesOnlyTheSectionThatChanged() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one", "two", "three"]))], to: bridge)
        let kept = ["lede.html", "page.json", "sections/T1.html", "sections/T3.html"]
        // Another name of the same file counts as a change of it.
        func modified(_ file: String) throws -> [Int64?] {
            let file = try information(file)
            return [file.map { Int64($0.inode) }, file?.modified]
        }
        let before = try kept.map(modified), changed = try information("sections/T2.html")
        try await store.add([(makeRecord(2), makeContent(["one", "two and a reply", "three"]))], to: bridge)
        #expect(try kept.map(modified) == before)
        #expect(try information("sections/T2.html")?.inode != changed?.inode)
        #expect(try Files.list(storePath() + "/.git/git-talk/staging/en.wiki.example/Talk") == [])
    }

    @Test func removesTheFileOfATopicThatIsGone() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one", "two"]))], to: bridge)
        try await store.add([(makeRecord(2), makeContent(["one"]))], to: bridge)
        #expect(try Files.list(directory + "/sections") == ["T1.html"])
        try await store.add([(makeRecord(3), makeContent([], lede: ""))], to: bridge)
        #expect(try Files.list(directory) == [".stamp", "lede.html", "page.json"])
        #expect(try store.reader.page(bridge)?.content == makeContent([], lede: ""))
    }

    @Test func isNotTouchedWhenNothingIsNew() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let reference = "\(storePath())/.git/\(StoreLayout.branch(of: bridge))"
        let before = try [information(""), information(".stamp"), Files.information(reference)]
        let packs = try store.packing().packs
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        try await store.add([], to: bridge)
        #expect(try [information(""), information(".stamp"), Files.information(reference)] == before)
        #expect(try store.packing().packs == packs)
    }

    @Test func anOlderRevisionChangesNoFile() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(5), makeContent(["five"]))], to: bridge)
        let before = try [information(""), information("sections/T1.html")].map(\.?.inode)
        try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        #expect(try [information(""), information("sections/T1.html")].map(\.?.inode) == before)
        let tip = try await store.tip(of: bridge)
        #expect(try store.reader.stamp(of: bridge)?.commit == tip?.commit)
    }

    /// What a power failure leaves of files that were not flushed, and what a user may do to them.
    @Test(arguments: ["lede.html", "page.json", "sections/T1.html", ".stamp"], ["cut", "removed"])
    func damagedFilesAreNoticedAndMadeAnew(file: String, damage: String) async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one", "two"]))], to: bridge)
        try Files.remove("\(directory)/\(file)")
        if damage == "cut" { try Files.create("\(directory)/\(file)", [], mode: 0o444) }
        let error = #expect(throws: TalkError.self) { try store.reader.page(bridge) }
        #expect(error?.kind == .damaged)
        #expect(error?.hint == "make them anew: git talk pull")
        try await store.refresh(bridge, discardingFiles: true)
        #expect(try store.reader.page(bridge)?.content == makeContent(["one", "two"]))
        // The next revision heals it as well.
        try Files.remove("\(directory)/\(file)")
        if damage == "cut" { try Files.create("\(directory)/\(file)", [], mode: 0o444) }
        try await store.add([(makeRecord(2), makeContent(["one", "two", "three"]))], to: bridge)
        #expect(try store.reader.page(bridge)?.content == makeContent(["one", "two", "three"]))
    }

    @Test func followsABranchThatGitMoved() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"])), (makeRecord(2), makeContent(["two"]))], to: bridge)
        let branch = StoreLayout.branch(of: bridge)
        try git("update-ref", branch, branch + "~1", in: storePath())
        try await store.refresh(bridge)
        #expect(try store.reader.page(bridge)?.content == makeContent(["one"]))
        try git("update-ref", "-d", branch, in: storePath())
        try await store.refresh(bridge)
        #expect(try store.reader.page(bridge) == nil)
        #expect(try Files.list(storePath()) == [".git"])
    }

    @Test func aReaderNeverSeesATornPage() async throws {
        let store = try makeStore()
        // Every file of version n says n.
        func content(_ n: Int) -> PageContent {
            makeContent(Array(repeating: "v\(n)", count: 12), lede: "<p>v\(n)</p>\n")
        }
        try await store.add([(makeRecord(1), content(1))], to: bridge)
        let reader = store.reader
        let writer = Task {
            for n in 2...25 { try await store.add([(makeRecord(Int64(n)), content(n))], to: bridge) }
        }
        let reads = Task.detached { () throws -> Int in
            var seen: Set<String> = []
            for _ in 0..<300 {
                let page = try #require(try reader.page(bridge))
                let texts = Set(page.content.sections.map { $0.html.split(separator: "\n").last ?? "" })
                #expect(texts.count == 1)
                #expect(texts.first.map { $0 + "\n" } == Substring(page.content.lede))
                seen.insert(page.stamp.commit)
            }
            return seen.count
        }
        try await writer.value
        #expect(try await reads.value >= 1)
        #expect(try reader.page(bridge)?.content == content(25))
    }

    @Test func refusesAPageWhosePathWouldBeTooLong() async throws {
        let long = storePath() + String(repeating: "/" + String(repeating: "d", count: 200), count: 18)
        let error = await #expect(throws: TalkError.self) {
            let store = try Store.create(at: long)
            let title = String(repeating: "x", count: 190)
            let page = PageName(wiki: bridge.wiki, namespace: "Talk", title: title)
            try await store.add([(makeRecord(1), makeContent(["one"]))], to: page)
        }
        #expect(error?.kind == .invalid)
        #expect(error?.hint == "use a store with a shorter path")
    }

    @Test func keepsTitlesThatNoFileSystemLikes() async throws {
        let store = try makeStore()
        let titles = [
            "A/B", "..", "a.lock", "\u{301}x", "日本語", "CON", "a:b*c?", "-rf", "@", "%2F", "a\u{7F}", "~", "x ",
            String(repeating: "é", count: 100),
        ]
        let pages = titles.map { PageName(wiki: "main", namespace: "User talk", title: $0) }
        for (index, page) in pages.enumerated() {
            try await store.add([(makeRecord(Int64(index + 1)), makeContent([page.title]))], to: page)
        }
        #expect(Set(try await store.pages()) == Set(pages))
        for page in pages { #expect(try store.reader.page(page)?.content == makeContent([page.title])) }
        #expect(try fsck() == [])
    }

    @Test func aTitleTooLongForABranchIsKnownWithAndWithoutItsState() async throws {
        let store = try makeStore()
        let page = PageName(wiki: bridge.wiki, namespace: "Talk", title: String(repeating: "é", count: 120))
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: page)
        #expect(try await store.pages() == [page])
        // A store of an earlier program has the title in the state only.
        try git("update-ref", "-d", "refs/meta/titles", in: storePath())
        #expect(try await store.pages() == [])
        try await store.save(PageState(page: page, displayTitle: page.prefixedTitle))
        #expect(try await store.pages() == [page])
        #expect(try store.reader.page(page)?.content == makeContent(["one"]))
    }
}
