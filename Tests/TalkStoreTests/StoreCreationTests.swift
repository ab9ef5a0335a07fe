import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct StoreCreationTests {
    @Test func makesARepositoryThatGitUnderstands() throws {
        _ = try makeStore()
        let path = storePath()
        #expect(try fsck() == [])
        let settings = try git("config", "--local", "--list", in: path).split(separator: "\n").map(String.init)
        #expect(
            settings.sorted() == [
                "core.autocrlf=false", "core.bare=true", "core.filemode=true", "core.fsync=committed,reference",
                "core.logallrefupdates=false", "core.quotepath=false", "core.repositoryformatversion=0", "gc.auto=0",
                "gc.packrefs=false", "maintenance.auto=false", "receive.hiderefs=refs/heads",
                "receive.hiderefs=refs/meta", "talk.format=1", "transfer.hiderefs=refs/discarded",
                "transfer.hiderefs=refs/heads/pending",
            ])
        #expect(try git("symbolic-ref", "HEAD", in: path) == "refs/heads/main\n")
        #expect(try Files.information(path)?.permissions == 0o700)
        #expect(try Files.list(path) == [".git"])
        #expect(try Files.list(path + "/.git/hooks") == ["pre-push"])
    }

    /// Part of the format: every store's first commit is this one.
    @Test func beginsWithTheSameCommitEverywhere() throws {
        for name in ["a", "b"] {
            _ = try makeStore(name)
            #expect(try git("rev-parse", "main", in: storePath(name)) == "c2c974d1242f1a00b309cb849ecd3298e01819b8\n")
        }
    }

    @Test func opensWhatIsThereAndMakesNothingTwice() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        try await store.configure("talk.history", to: "7")
        let again = try makeStore()
        #expect(try await again.pages() == [bridge])
        #expect(try again.configuration().integer("talk.history") == 7)
        try await again.configure("talk.history", to: nil)
        #expect(try store.configuration().string("talk.history") == nil)
    }

    @Test func saysThatThereIsNoStore() throws {
        let error = #expect(throws: TalkError.self) { try Store.open(at: storePath("none")) }
        #expect(error?.kind == .notFound)
        #expect(error?.message == "there is no store at \(storePath("none"))")
        #expect(error?.hint == "make one of what a hub has with init --from <address>, or by git talk pull <page>")
        try Files.makeDirectories(storePath("empty"))
        #expect(#expect(throws: TalkError.self) { try Store.open(at: storePath("empty")) }?.kind == .notFound)
        #expect(try Files.list(TemporaryDirectory.current.path) == ["empty"])
    }

    @Test func neverTouchesSomebodysFilesOrRepository() throws {
        let file = storePath("files"), repository = storePath("repository"), bare = storePath("bare")
        try Files.makeDirectories(file)
        try Files.create(file + "/letter.txt", [1], mode: 0o600)
        try git("init", "--quiet", repository, in: TemporaryDirectory.current.path)
        try git("init", "--quiet", "--bare", bare, in: TemporaryDirectory.current.path)
        for path in [file, repository, bare, file + "/letter.txt"] {
            let before = try listing(path)
            for open in [{ try Store.open(at: path) }, { try Store.create(at: path) }] {
                let error = #expect(throws: TalkError.self) { try open() }
                #expect(error?.kind == .damaged)
                #expect(error?.hint == "name an empty or a new directory")
            }
            #expect(try listing(path) == before)
        }
    }

    @Test(arguments: [
        ("[talk]\nformat = 2\n", "has format 2, this git-talk knows 1"),
        ("[talk]\nformat = x\n", "does not say which format it has"),
        ("[talk\n", "cannot be understood"),
        ("[talk]\nformat=1\n[core]\nrepositoryformatversion = 2\n", "git repository of the store at"),
        (
            "[talk]\nformat=1\n[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n",
            "has a newer format"
        ),
        (
            "[talk]\nformat=1\n[core]\nrepositoryformatversion = 1\n[extensions]\nrefstorage = reftable\n",
            "has a newer format"
        ),
    ])
    func refusesAFormatThatItDoesNotKnow(text: String, words: String) throws {
        _ = try makeStore()
        let path = storePath() + "/.git/config"
        try Files.replace(path, Array(text.utf8), mode: 0o600, scratch: path + ".new")
        let error = #expect(throws: TalkError.self) { try Store.open(at: storePath()) }
        #expect(error?.kind == .damaged)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.hint != nil)
    }

    @Test func allowsWhatGitsOwnCommandsAdd() throws {
        _ = try makeStore()
        try git("config", "extensions.worktreeConfig", "true", in: storePath())
        try git("config", "core.repositoryformatversion", "1", in: storePath())
        #expect(throws: Never.self) { try Store.open(at: storePath()) }
    }

    @Test func cleansUpACreationThatBrokeOff() throws {
        let old = storePath() + "/.git.new-abc"
        try Files.makeDirectories(old + "/objects")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: old)
        #expect(#expect(throws: TalkError.self) { try Store.open(at: storePath()) }?.kind == .notFound)
        _ = try makeStore()
        #expect(try Files.list(storePath()) == [".git"])
    }

    @Test func twoThatMakeTheSameStoreBothGetIt() async throws {
        let path = storePath()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1...6 {
                group.addTask {
                    let store = try Store.create(at: path, wait: 30)
                    try await store.add([(makeRecord(Int64(id)), makeContent(["\(id)"]))], to: bridge)
                }
            }
            try await group.waitForAll()
        }
        let store = try Store.open(at: path)
        #expect(try await store.records(of: bridge).map(\.record.id.rawValue) == [1, 2, 3, 4, 5, 6])
    }

    @Test func saysThatADirectoryCannotBeWritten() throws {
        // Nobody, not even root, makes a directory there.
        let error = #expect(throws: TalkError.self) { try Store.create(at: "/sys/kernel/git-talk-store") }
        #expect(error?.kind == .unwritable)
        #expect(error?.hint != nil)
    }

    private func listing(_ path: String) throws -> [String]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return FileManager.default.subpaths(atPath: path)?.sorted()
    }
}

/// What `git fsck` finds wrong in a store.
func fsck(_ name: String = "store") throws -> [String] {
    let (status, output) = try runGit(["fsck", "--strict", "--no-dangling"], in: storePath(name))
    let lines = output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("notice:") }
    return status == 0 ? lines : lines + ["status \(status)"]
}
