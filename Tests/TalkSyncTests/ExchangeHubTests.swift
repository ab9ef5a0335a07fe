import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Exchanges over each kind of connection that needs nothing but git, and with hubs that are not as they should be.
@Suite(.temporaryDirectory) struct ExchangeHubTests {
    private let page = ExchangeStage.pages[0]

    private func add(_ ids: ClosedRange<Int64>, to store: Store) async throws {
        try await store.add(try ids.map { try ExchangeStage.revision($0, of: page) }, to: page)
    }

    private func expectEqual(_ stage: ExchangeStage, by remote: String) async throws {
        try await add(1...3, to: stage.stores[0])
        try await add(3...5, to: stage.stores[1])
        for machine in [0, 1, 0] { _ = try await stage.exchange(machine, remote).run() }
        #expect(try await stage.stores[0].records(of: page).map(\.record.id.rawValue) == [1, 2, 3, 4, 5])
        #expect(try stage.shared(stage.stores[0].layout.root) == stage.shared(stage.hub))
        #expect(try stage.shared(stage.stores[1].layout.root) == stage.shared(stage.hub))
        let again = try await stage.exchange(1, remote).run()
        #expect(again.pages == [] && again.given == [])
    }

    @Test(arguments: ["", "file://"]) func overAPath(scheme: String) async throws {
        let stage = try await ExchangeStage(machines: 2)
        for store in stage.stores { try await stage.add("far", at: scheme + stage.hub, to: store) }
        try await expectEqual(stage, by: "far")
    }

    @Test func overGitsOwnProtocol() async throws {
        let stage = try await ExchangeStage(machines: 2)
        let server = try await HubServer.daemon(stage.root)
        for store in stage.stores { try await stage.add("far", at: server.address + "hub", to: store) }
        try await expectEqual(stage, by: "far")
    }

    @Test func overHTTPWithAPasswordOfTheCredentialHelper() async throws {
        let stage = try await ExchangeStage(machines: 2)
        try stage.run("config", "http.receivepack", "true", in: stage.hub)
        let server = try HubServer.web(stage.root, password: "alice:s3cret")
        for store in stage.stores { try await stage.add("far", at: server.address + "hub", to: store) }
        let error = await #expect(throws: TalkError.self) { try await stage.exchange(0, "far").run() }
        #expect(error?.kind == .refused && error?.message.contains("s3cret") == false)
        let passwords = "\(server.address.replacing("//", with: "//alice:s3cret@"))\n"
        try Data(passwords.utf8).write(to: URL(filePath: stage.root + "/passwords"))
        let configuration = "[credential]\n\thelper = store --file \(stage.root)/passwords\n"
        try Data(configuration.utf8).write(to: URL(filePath: stage.root + "/.gitconfig"))
        try await expectEqual(stage, by: "far")
    }

    /// The user's own configuration says how ssh is called.
    @Test(.enabled(if: HubServer.sshd != nil, "there is no ssh server: .ci/setup ssh"))
    func overSSH() async throws {
        let stage = try await ExchangeStage(machines: 2)
        guard let server = try await HubServer.ssh(stage.root) else {
            return print("over ssh: skipped, since sshd does not start here: .ci/setup ssh")
        }
        for store in stage.stores { try await stage.add("far", at: server.address + "hub", to: store) }
        func call(_ words: String) throws {
            let configuration = "[core]\n\tsshCommand = ssh -F \(stage.root)/ssh_config \(words)\n"
            try Data(configuration.utf8).write(to: URL(filePath: stage.root + "/.gitconfig"))
        }
        try call("-o PubkeyAuthentication=no")
        let error = await #expect(throws: TalkError.self) { try await stage.exchange(0, "far").run() }
        #expect(error?.kind == .refused, "\(error?.message ?? "")")
        try call("")
        try await expectEqual(stage, by: "far")
    }

    @Test func aHubThatIsAwayIsTriedLater() async throws {
        let stage = try await ExchangeStage(machines: 1)
        let store = stage.stores[0]
        try await stage.add("away", at: "git://127.0.0.1:1/hub", to: store)
        let error = await #expect(throws: TalkError.self) { try await stage.exchange(0, "away").run() }
        #expect(error?.kind == .unreachable, "\(error?.message ?? "")")
        try await stage.add("gone", at: stage.root + "/nothing", to: store)
        let other = await #expect(throws: TalkError.self) { try await stage.exchange(0, "gone").run() }
        #expect(other?.kind == .notFound, "\(other?.message ?? "")")
        let without = StoreExchange(
            store: store, git: GitProgram(path: nil, repository: store.layout.gitDirectory, environment: [:]),
            remote: "hub", time: "t"
        ) { _ in }
        let missing = await #expect(throws: TalkError.self) { try await without.run() }
        #expect(missing?.kind == .missingProgram)
    }

    @Test func aBranchOfTheUsersStaysWithHim() async throws {
        let stage = try await ExchangeStage(machines: 1)
        try await add(1...3, to: stage.stores[0])
        let root = stage.stores[0].layout.root, branch = StoreLayout.branch(of: page)
        try stage.run("branch", "topic", branch, in: root)
        try stage.run("branch", "drafts/topic", "main", in: root)
        let result = try await stage.exchange(0).run()
        #expect(result.refused == [] && result.denied == [])
        let names = try stage.run("for-each-ref", "--format=%(refname)", "refs/heads", in: stage.hub)
        #expect(names == "\(branch)\nrefs/heads/main\n")
    }

    /// A user's own fetch may leave older commits out; an exchange brings them.
    @Test func whatAShallowFetchLeftOutComes() async throws {
        let stage = try await ExchangeStage(machines: 2)
        try await stage.add("far", at: "file://\(stage.hub)", to: stage.stores[1])
        try await add(1...3, to: stage.stores[0])
        _ = try await stage.exchange(0).run()
        let root = stage.stores[1].layout.root
        try stage.run("fetch", "--quiet", "--depth", "1", "far", in: root)
        #expect(try stage.run("rev-parse", "--is-shallow-repository", in: root) == "true\n")
        let result = try await stage.exchange(1, "far").run()
        #expect(result.refused == [] && result.pages.map(\.written.count) == [3])
        #expect(try stage.run("rev-parse", "--is-shallow-repository", in: root) == "false\n")
        #expect(try stage.shared(root) == stage.shared(stage.hub))
    }

    @Test func aHubThatWantsNoForcedUpdateSaysSo() async throws {
        let stage = try await ExchangeStage(machines: 2)
        try stage.run("config", "receive.denyNonFastForwards", "true", in: stage.hub)
        try stage.run("config", "receive.denyDeletes", "true", in: stage.hub)
        try await add(2...4, to: stage.stores[0])
        #expect(try await stage.exchange(0).run().denied == [])
        try await add(1...1, to: stage.stores[1])
        let result = try await stage.exchange(1).run()
        #expect(result.denied.map(\.reason) == ["non-fast-forward"])
        #expect(result.pages.map(\.written.count) == [3])
        _ = try await RevisionPurge(store: stage.stores[0], wiki: nil).run(
            Dictionary(uniqueKeysWithValues: (2...4).map { (RevisionID(rawValue: $0), .text) }), of: page, time: "t")
        #expect(try await stage.exchange(0).run().denied.map(\.reason) == ["deletion prohibited"])
        try stage.run("config", "receive.denyNonFastForwards", "false", in: stage.hub)
        try stage.run("config", "receive.denyDeletes", "false", in: stage.hub)
        for machine in [0, 1] { #expect(try await stage.exchange(machine).run().denied == []) }
        #expect(try stage.shared(stage.stores[1].layout.root) == stage.shared(stage.hub))
        #expect(try await stage.stores[1].records(of: page).map(\.record.id.rawValue) == [1])
    }

    /// What has not changed since an exchange had nothing to do is not looked at again; a change by anybody is.
    @Test func nothingNewCostsOneFetch() async throws {
        let stage = try await ExchangeStage(machines: 2), store = stage.stores[0]
        try await add(1...3, to: store)
        let git = stage.root + "/git", calls = stage.root + "/calls"
        try Data("#!/bin/sh\necho \"$@\" >>'\(calls)'\nexec git \"$@\"\n".utf8).write(to: URL(filePath: git))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: git)
        func run() async throws -> (StoreExchange.Result, calls: [Substring]) {
            try Data().write(to: URL(filePath: calls))
            let result = try await stage.exchange(0, git: git).run()
            return (result, try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n"))
        }
        let mark = store.layout.settled(with: "hub")
        #expect(try await run().0.given.count == 2)
        #expect(!FileManager.default.fileExists(atPath: mark))
        for _ in 0..<2 {
            let (result, calls) = try await run()
            #expect(result.pages == [] && result.given == [] && calls.count == 1 && calls[0].contains(" fetch "))
            #expect(FileManager.default.fileExists(atPath: mark))
        }
        // The same, in another file.
        try stage.run("pack-refs", "--all", in: store.layout.root)
        #expect(try await store.isSettled(with: "hub", ""))
        // Of files that are older than a tick of the clock it is enough that they are the same.
        let packed = "\(store.layout.gitDirectory)/packed-refs", state = String(try lines(of: mark)[0])
        try Data(state.utf8).write(to: URL(filePath: mark))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: packed)
        #expect(try await store.isSettled(with: "hub", ""))
        #expect(try lines(of: mark) == [state])
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: packed)
        try await Task.sleep(for: .seconds(2.1))
        #expect(try await store.isSettled(with: "hub", ""))
        let stamp = try #require(try lines(of: mark).dropFirst().first), other = String(repeating: "0", count: 64)
        for (mark1, mark2, isSettled) in [(other, stamp, true), (other, other, false), (state, other, true)] {
            try Data("\(mark1)\n\(mark2)".utf8).write(to: URL(filePath: mark))
            #expect(try await store.isSettled(with: "hub", "") == isSettled, "\(mark1) \(mark2)")
        }
        #expect(try lines(of: mark) == [state, stamp])
        // A revision here, one there, and a branch that somebody set back.
        try await add(4...4, to: store)
        #expect(try await run().0.given.count == 1)
        _ = try await run()
        try await add(5...5, to: stage.stores[1])
        _ = try await stage.exchange(1).run()
        #expect(try await run().0.pages.map(\.written.count) == [1])
        _ = try await run()
        #expect(try await store.isSettled(with: "hub", ""))
        let branch = StoreLayout.branch(of: page)
        try stage.run("update-ref", branch, branch + "~2", in: store.layout.root)
        #expect(try await !store.isSettled(with: "hub", ""))
        #expect(try await run().0.pages.map(\.written.count) == [2])
        _ = try await run()
        try await store.evict(page)
        #expect(try await !store.isSettled(with: "hub", ""))
    }

    private func lines(of file: String) throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func aStoreIsTakenFromAndNeverGivenTo() async throws {
        let stage = try await ExchangeStage(machines: 2)
        try await add(1...3, to: stage.stores[0])
        try await add(3...5, to: stage.stores[1])
        let before = try stage.shared(stage.stores[1].layout.root)
        let result = try await stage.exchange(0, "peer").run()
        #expect(result.isStore && result.given == [] && result.pages.map(\.written.count) == [2])
        #expect(try stage.shared(stage.stores[1].layout.root) == before)
        // Nor can a user push to it by hand.
        let words = ["push", stage.stores[1].layout.root, "+refs/heads/\(ExchangeStage.wiki)/*"]
        let (status, output) = try runGit(words, in: stage.stores[0].layout.root)
        #expect(status != 0 && output.contains("hidden ref"), "\(output)")
    }

    @Test func oneBrokenBranchStopsNoOther() async throws {
        let stage = try await ExchangeStage(machines: 2)
        try await add(1...3, to: stage.stores[0])
        _ = try await stage.exchange(0).run()
        // A tree with a name that git itself refuses, and a branch that only we refuse.
        let blob = try runGit(["hash-object", "-w", "--stdin"], in: stage.hub, input: "x").output.dropLast()
        let tree = try runGit(["mktree"], in: stage.hub, input: "100644 blob \(blob)\t.git\n").output.dropLast()
        for name in ["A", "B"] {
            let commit = try runGit(["commit-tree", String(tree)], in: stage.hub, input: "x").output.dropLast()
            try stage.run("update-ref", "refs/heads/\(ExchangeStage.wiki)/Talk/\(name)", String(commit), in: stage.hub)
        }
        try stage.run("update-ref", "refs/heads/topic", "refs/heads/main", in: stage.hub)
        let hub = try stage.shared(stage.hub)
        let result = try await stage.exchange(1).run()
        #expect(result.refused.map(\.name).sorted() == ["en.wiki.example/Talk/A", "en.wiki.example/Talk/B", "topic"])
        #expect(result.refused.contains { $0.reason.hasPrefix("git: ") }, "\(result.refused)")
        #expect(result.pages.map(\.page) == [page])
        #expect(try stage.shared(stage.hub) == hub)
        #expect(
            try stage.run("fsck", "--strict", "--no-dangling", in: stage.stores[1].layout.root).contains("error")
                == false)
        // And so the next time.
        try await add(4...4, to: stage.stores[0])
        _ = try await stage.exchange(0).run()
        #expect(try await stage.exchange(1).run().pages.map(\.written.count) == [1])
    }

    @Test func aCloneShowsEveryPageButNothingThatWaits() async throws {
        let stage = try await ExchangeStage(machines: 1)
        let store = stage.stores[0]
        try await add(1...2, to: store)
        _ = try await stage.exchange(0).run()
        #expect(try RemoteRepository(name: "hub", git: stage.program(store), directory: store.layout.root).showsMain())
        try stage.run("clone", "--quiet", stage.hub, "clone", in: stage.root)
        #expect(FileManager.default.fileExists(atPath: stage.root + "/clone/README.md"))
        #expect(try stage.run("branch", "-r", in: stage.root + "/clone").contains("origin/en.wiki.example/Talk/Bridge"))
    }

    @Test func aLongTitleGoesAlong() async throws {
        let stage = try await ExchangeStage(machines: 2)
        let long = ExchangeStage.pages[3]
        #expect(StoreLayout.page(ofBranch: StoreLayout.branch(of: long)) == nil)
        let store = stage.stores[0]
        try await store.add([try ExchangeStage.revision(1, of: long)], to: long)
        try await store.save(PageState(page: long, displayTitle: long.prefixedTitle))
        for machine in [0, 1] { #expect(try await stage.exchange(machine).run().refused == []) }
        #expect(try await stage.stores[1].pages() == [long])
        #expect(try stage.stores[1].state(of: long)?.isKept == true)
        // Also when the state is lost.
        try FileManager.default.removeItem(atPath: stage.stores[1].layout.state(of: long))
        #expect(try await stage.stores[1].pages() == [long])
    }
}
