import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What a user's git leaves that found objects in the moment in which an eviction removed them: mended, or named.
@Suite(.temporaryDirectory) struct UserGitBesideTests {
    private static let gone = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Gone")
    private let copy = "refs/remotes/hub/en.wiki.example/Talk/Gone"

    /// A store with one page, a hub that has two, and a reference to a commit that the store had once.
    private func prepare(_ references: String...) async throws -> Store {
        let other = try makeStore("other"), store = try makeStore()
        let revisions = [(record: makeRecord(1), content: try makeCanonicalContent(["one"]))]
        for page in [bridge, Self.gone] { try await other.add(revisions, to: page) }
        try await store.add(revisions, to: bridge)
        try git("init", "--bare", "--quiet", storePath("hub"), in: TemporaryDirectory.current.path)
        try git("push", "--quiet", storePath("hub"), "refs/heads/*:refs/heads/*", in: storePath("other"))
        try git("remote", "add", "hub", storePath("hub"), in: storePath())
        for reference in references {
            let path = "\(store.layout.gitDirectory)/\(reference)"
            try Files.makeDirectories(Files.directory(of: path))
            try Files.remove(path)
            try Files.create(path, Array("\(String(repeating: "1", count: 40))\n".utf8), mode: 0o600)
        }
        return store
    }

    private func references() throws -> [String] {
        try git("for-each-ref", "--format=%(refname)", in: storePath()).split(separator: "\n").map(String.init)
    }

    @Test func packingRemovesCopiesThatLeadNowhere() async throws {
        let store = try await prepare(copy, "refs/exchange/hub/bookmarks")
        try #require(try runGit(["repack", "-a", "-d", "-q"], in: storePath()).status != 0)
        try await store.collectGarbage(gitProgram())
        #expect(try references() == ["refs/heads/en.wiki.example/Talk/Old_Stone_Bridge", "refs/heads/main"])
        #expect(try store.packing().packs == 1)
        #expect(try git("fsck", "--strict", "--no-dangling", in: storePath()).contains("error") == false)
    }

    @Test func anExchangeFetchesAgainWhatLeadsNowhere() async throws {
        let store = try await prepare(copy)
        let hub = RemoteRepository(name: "hub", git: gitProgram(), directory: storePath())
        #expect(try await store.fetch(from: hub) == [])
        #expect(try await store.take(from: "hub").pages.map(\.page) == [Self.gone])
        #expect(try git("fsck", "--strict", "--no-dangling", in: storePath()).contains("error") == false)
    }

    /// What is empty, cut or nonsense: git blames every branch for it.
    @Test(arguments: ["", "1111", "junk\n"]) func aCopyThatNamesNothingIsFetchedAgain(text: String) async throws {
        let store = try await prepare(), path = "\(storePath())/.git/\(copy)"
        try Files.makeDirectories(Files.directory(of: path))
        try Files.create(path, Array(text.utf8), mode: 0o600)
        let hub = RemoteRepository(name: "hub", git: gitProgram(), directory: storePath())
        #expect(try await store.fetch(from: hub) == [])
        #expect(try await store.take(from: "hub").pages.map(\.page) == [Self.gone])
        // That of a page is made anew by doctor.
        let branch = "\(storePath())/.git/\(StoreLayout.branch(of: bridge))"
        try Files.remove(branch)
        try Files.create(branch, Array(text.utf8), mode: 0o600)
        let error = await #expect(throws: TalkError.self) { try await store.fetch(from: hub) }
        #expect(
            error?.message == "nothing could be fetched from hub: \(StoreLayout.branch(of: bridge)) "
                + "leads to objects that are not there any more")
        _ = try await store.repair(gitProgram())
        #expect(try await store.fetch(from: hub) == [])
        #expect(try await store.records(of: bridge).count == 1)
    }

    @Test(arguments: ["refs/heads/mine", "worktrees/tree/HEAD"]) func whatIsTheUsersIsNamed(place: String) async throws
    {
        let store = try await prepare()
        try git("worktree", "add", "--quiet", "--detach", storePath("tree"), "main", in: storePath())
        let path = "\(store.layout.gitDirectory)/\(place)"
        try Files.remove(path)
        try Files.create(path, Array("\(String(repeating: "1", count: 40))\n".utf8), mode: 0o600)
        let name =
            place.hasPrefix("refs")
            ? place : "the worktree \(URL(filePath: storePath("tree")).resolvingSymlinksInPath().path)"
        let words = "\(name) leads to objects that are not there any more"
        let hub = RemoteRepository(name: "hub", git: gitProgram(), directory: storePath())
        let packing = await #expect(throws: TalkError.self) { try await store.collectGarbage(gitProgram()) }
        #expect(packing?.message == "the store cannot be packed: \(words)")
        let fetch = await #expect(throws: TalkError.self) { try await store.fetch(from: hub) }
        #expect(fetch?.message == "nothing could be fetched from hub: \(words)")
        for error in [packing, fetch] {
            #expect(error?.kind == .damaged && error?.hint == "see what is damaged, and repair it: git talk doctor")
        }
        #expect(try await store.records(of: bridge).count == 1)
        let findings = try await store.repair(gitProgram()).filter { $0.repair == nil && !$0.isNote }
        try #require(findings.count == 1)
        #expect(findings[0].message.hasPrefix(name))
        // As the hint says.
        if place.hasPrefix("refs") {
            #expect(findings[0].hint?.hasSuffix("git update-ref -d refs/heads/mine") == true)
            try Files.remove(path)
        } else {
            #expect(findings[0].hint?.contains("git worktree remove --force") == true)
            try git("worktree", "remove", "--force", storePath("tree"), in: storePath())
        }
        #expect(try await store.repair(gitProgram()).filter { !$0.isNote } == [])
        try await store.collectGarbage(gitProgram())
    }

    /// A git that fetches into files writes objects first and references at the end.
    @Test func whatAFetchJustWroteStaysUnlessSomethingWasPurged() async throws {
        let store = try await prepare(), path = storePath()
        func blob(_ text: String, minutesAgo: Double) throws -> String {
            let name = try git("hash-object", "-w", "--stdin", in: path, input: text)
            let file = "\(path)/.git/objects/\(name.prefix(2))/\(name.dropFirst(2))"
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -60 * minutesAgo)], ofItemAtPath: file)
            return name
        }
        let new = try blob("new", minutesAgo: 50), old = try blob("old", minutesAgo: 70)
        try await store.collectGarbage(gitProgram())
        #expect(try await store.hasObject(new))
        #expect(try await !store.hasObject(old))
        _ = try await store.purge([RevisionID(rawValue: 1): .text], of: bridge)
        try await store.collectGarbage(gitProgram())
        #expect(try await !store.hasObject(new))
    }
}
