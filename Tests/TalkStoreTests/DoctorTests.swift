import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What the doctor finds, that looking changes nothing, and what is left after the repair.
@Suite(.temporaryDirectory) struct DoctorTests {
    private static let arch = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Arch")
    private static var root: String { storePath() }
    private static var gitDirectory: String { storePath() + "/.git" }
    private static var branch: String { StoreLayout.branch(of: bridge) }

    /// Two pages, of three pulls each, a bookmark, something purged, a reply that waits, and one that was set aside.
    private static func prepare() async throws {
        let store = try makeStore()
        for id in Int64(1)...3 {
            try await store.add([(makeRecord(id), makeContent(["text \(id)", "more"]))], to: bridge)
            var other = makeRecord(id + 10)
            other.page = PageID(rawValue: 46)
            try await store.add([(other, makeContent(["arch \(id)"]))], to: arch)
        }
        _ = try await store.purge([RevisionID(rawValue: 9): .text], of: arch)
        try await store.bookmark([arch], true)
        for page in [bridge, arch] {
            var state = PageState(page: page, displayTitle: page.title)
            state.isKept = true
            state.pageID = PageID(rawValue: page == bridge ? 45 : 46)
            try await store.save(state)
        }
        let entry = OutboxEntry(reply: makeReply(1, base: 3), page: bridge, account: "Chloe")
        try await store.save(entry)
        try await store.appendPending(
            PlacedReply(reply: entry.reply, author: "Chloe", content: makeContent(["text 3", "more", "mine"])),
            to: store.pendingBranch(of: bridge))
        var aside = OutboxEntry(reply: makeReply(2, text: "Never mind.", base: 3), page: bridge, account: "Chloe")
        aside.state = .discarded
        aside.reason = "gone"
        try await store.save(aside)
        try await store.discard(aside, reason: "gone")
    }

    private static func bytes(_ path: String) throws -> [UInt8] { try #require(try Files.read(path)) }

    private static func write(_ path: String, _ bytes: [UInt8]) throws {
        try Files.makeDirectories(Files.directory(of: path))
        try Files.remove(path)
        try Files.create(path, bytes, mode: 0o600)
    }

    private static func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

    /// The pack that has an object, without its ending.
    private static func pack(of name: String) throws -> String {
        let id = try git("rev-parse", name, in: root).dropLast()
        for file in try Files.list(gitDirectory + "/objects/pack") ?? [] where file.hasSuffix(".idx") {
            let path = "\(gitDirectory)/objects/pack/\(file)"
            let list = try git("verify-pack", "-v", path, in: root)
            if list.contains(id) { return String(path.dropLast(4)) }
        }
        throw GitFailure(description: "no pack has \(name)")
    }

    /// Every file of the store: path, mode, time and content.
    private static func listing() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root).sorted().map { path in
            let file = try #require(try Files.information("\(root)/\(path)"))
            let content = file.kind == .file ? try Files.read("\(root)/\(path)") ?? [] : []
            return "\(path) \(file.permissions) \(file.modified) \(file.inode) \(content.hashValue)"
        }
    }

    private static func examine() async throws -> [StoreFinding] {
        try await Store.open(at: root).examine(now: Int64(Date().timeIntervalSince1970))
    }

    /// Damages the store, looks, repairs, looks again; gives what was found and what still is.
    @discardableResult
    private func check(
        _ expected: Set<StoreFinding.Kind>, left: Set<StoreFinding.Kind> = [],
        sourceLocation: SourceLocation = #_sourceLocation, _ damage: () async throws -> Void
    ) async throws -> [StoreFinding] {
        try await Self.prepare()
        let sound = try await Self.examine()
        #expect(sound == [], sourceLocation: sourceLocation)
        try await damage()
        let before = try Self.listing()
        let found = try await Self.examine()
        let after = try Self.listing()
        #expect(Set(before).symmetricDifference(after) == [], sourceLocation: sourceLocation)
        let told = found.map { "\($0.kind) \($0.message)" }.joined(separator: "\n")
        #expect(Set(found.map(\.kind)) == expected, "\(told)", sourceLocation: sourceLocation)
        #expect(found.allSatisfy { $0.repair == nil }, sourceLocation: sourceLocation)
        let repaired = try await Store.open(at: Self.root).repair(gitProgram())
        // What is repaired first may be what was wrong with the rest.
        let first = found.first?.kind
        #expect(repaired.contains { $0.kind == first }, "\(repaired)", sourceLocation: sourceLocation)
        let again = try await Self.examine().filter { !$0.isNote }
        let rest = again.map { "\($0.kind) \($0.message)" }.joined(separator: "\n")
        #expect(Set(again.map(\.kind)) == left, "\(rest)", sourceLocation: sourceLocation)
        #expect(try fsck() == [], sourceLocation: sourceLocation)
        return repaired
    }

    private func revisions(_ page: PageName) async throws -> [Int64] {
        try await Store.open(at: Self.root).records(of: page).map(\.record.id.rawValue)
    }

    // MARK: Around the objects

    /// A user's git packs the references, and a power failure leaves nonsense there.
    @Test(arguments: [false, true]) func whatStoodInPackedReferencesIsFound(isCut: Bool) async throws {
        try await Self.prepare()
        let before = try git("for-each-ref", in: Self.root), path = Self.gitDirectory + "/packed-refs"
        try git("pack-refs", "--all", in: Self.root)
        let lines = String(decoding: try Self.bytes(path), as: UTF8.self)
        try Self.write(path, isCut ? String(lines.prefix(lines.count / 2)) + "junk\n" : "junk\n")
        _ = try await Store.open(at: Self.root).repair(gitProgram())
        #expect(try await revisions(bridge) == [1, 2, 3])
        #expect(try await revisions(Self.arch) == [11, 12, 13])
        if isCut { return }
        // Replies are put back by whoever knows the pages.
        let pending = StoreLayout.pendingBranch(of: bridge)
        let names = before.split(separator: "\n").filter { !$0.hasSuffix(pending) }
        #expect(try git("for-each-ref", in: Self.root).split(separator: "\n") == names)
        #expect(try await Store.open(at: Self.root).bookmarks() == [Self.arch])
        #expect(try await Self.examine().filter { !$0.isNote }.map(\.kind) == [.pending])
    }

    @Test func settingsThatSomebodyChangedAreSetBack() async throws {
        try await check([.configuration]) {
            for (key, value) in [("gc.auto", "100"), ("core.fsync", "none"), ("core.logAllRefUpdates", "true")] {
                try git("config", key, value, in: Self.root)
            }
            try git("config", "--unset-all", "transfer.hideRefs", in: Self.root)
        }
        #expect(try git("config", "--get-all", "transfer.hideRefs", in: Self.root).split(separator: "\n").count == 2)
        #expect(try git("config", "gc.auto", in: Self.root) == "0\n")
    }

    /// A power failure may empty it, since git does not flush it.
    @Test(arguments: [false, true]) func aLostConfigurationIsPutBack(isKept: Bool) async throws {
        try await Self.prepare()
        try git("config", "talk.history", "7", in: Self.root)
        if isKept {
            try Files.remove(Self.gitDirectory + "/git-talk/recovered")
            try await Store.open(at: Self.root).save(PageState(page: Self.arch, displayTitle: "Arch"))
        } else {
            try Files.remove(Self.gitDirectory + "/git-talk/config.kept")
        }
        try Self.write(Self.gitDirectory + "/config", "")
        let error = #expect(throws: TalkError.self) { try Store.open(at: Self.root) }
        #expect(error?.kind == .damaged && error?.hint == "put it back: git talk doctor")
        #expect(try Store.mendConfiguration(at: Self.root, repairs: false)?.repair == nil)
        #expect(
            try Store.mendConfiguration(at: Self.root, repairs: true)?.repair
                == (isKept ? "put back as it was" : "made anew"))
        #expect(try Store.mendConfiguration(at: Self.root, repairs: true) == nil)
        #expect(try Store.open(at: Self.root).configuration().integer("talk.history") == (isKept ? 7 : nil))
        #expect(try Store.mendConfiguration(at: storePath("none"), repairs: true) == nil)
    }

    /// A failing disk damages it, or cuts it before the format.
    @Test(arguments: [false, true]) func aDamagedConfigurationIsPutBack(isCut: Bool) async throws {
        try await Self.prepare()
        try git("config", "talk.history", "7", in: Self.root)
        try Files.remove(Self.gitDirectory + "/git-talk/recovered")
        try await Store.open(at: Self.root).save(PageState(page: Self.arch, displayTitle: "Arch"))
        let whole = try Self.bytes(Self.gitDirectory + "/config")
        let damaged = isCut ? Array(whole.prefix(40)) : Array("[core\n\tbare = tr\u{1}e".utf8)
        try Self.write(Self.gitDirectory + "/config", damaged)
        let error = #expect(throws: TalkError.self) { try Store.open(at: Self.root) }
        #expect(error?.kind == .damaged && error?.hint?.hasSuffix("git talk doctor") == true, "\(error as Any)")
        #expect(try Store.mendConfiguration(at: Self.root, repairs: false)?.repair == nil)
        #expect(try Self.bytes(Self.gitDirectory + "/config") == damaged)
        #expect(
            try Store.mendConfiguration(at: Self.root, repairs: true)?.repair
                == "put back as it was; what was there is .git/git-talk/damaged/config")
        #expect(try Self.bytes(Self.gitDirectory + "/config") == whole)
        #expect(try Self.bytes(Self.gitDirectory + "/git-talk/damaged/config") == damaged)
        #expect(try Store.mendConfiguration(at: Self.root, repairs: true) == nil)
    }

    @Test(arguments: [
        "ref: refs/head{/main\n", "ref: refs/hea", "ref: refs/heads/main\njunk\n", "ref: refs/heads/a..b\n",
    ])
    func aHeadThatGitFindsFaultWithIsWrittenAnew(text: String) async throws {
        try await check([.reference]) { try Self.write(Self.gitDirectory + "/HEAD", text) }
        #expect(try git("symbolic-ref", "HEAD", in: Self.root) == "refs/heads/main\n")
    }

    @Test func aReplyOnAPagesBranchIsTakenOffIt() async throws {
        try await check([.history]) {
            let pending = try git("rev-parse", StoreLayout.pendingBranch(of: bridge), in: Self.root)
            try git("update-ref", Self.branch, String(pending.dropLast()), in: Self.root)
        }
        #expect(try await revisions(bridge) == [1, 2, 3])
        #expect(try git("for-each-ref", "refs/aside", in: Self.root) == "")
    }

    @Test func theHookComesBack() async throws {
        try await check([.hook]) { try Files.remove(Self.gitDirectory + "/hooks/pre-push") }
        #expect(try Files.information(Self.gitDirectory + "/hooks/pre-push")?.permissions == 0o700)
    }

    @Test(arguments: [
        "refs/heads/en.wiki.example/Talk/Arch.lock", "HEAD.lock", "packed-refs.lock", "config.lock",
        "worktrees/w/index.lock", "refs/meta/bookmarks.lock",
    ]) func locksThatKeepOthersFromWritingGo(_ lock: String) async throws {
        try await check([.lock]) {
            try Self.write("\(Self.gitDirectory)/\(lock)", "")
            try Files.remove("\(Self.gitDirectory)/\(lock)")
            try Files.mark("\(Self.gitDirectory)/\(lock)", at: 1_700_000_000)
        }
        #expect(try Files.information("\(Self.gitDirectory)/\(lock)") == nil)
    }

    @Test func aFreshLockIsNoFindingOfWhoLooksAndGoesAtOnceForWhoRepairs() async throws {
        try await Self.prepare()
        let lock = "\(Self.gitDirectory)/HEAD.lock"
        try Self.write(lock, "")
        #expect(try await Self.examine() == [])
        let repaired = try await Store.open(at: Self.root).repair(nil)
        #expect(repaired.map(\.kind) == [.lock])
        #expect(try Files.information(lock) == nil)
    }

    @Test func litterIsANote() async throws {
        let found = try await check([.litter]) {
            try Self.write("\(Self.gitDirectory)/git-talk/staging/w/Talk/X/page.json", "x")
            try Self.write("\(Self.gitDirectory)/git-talk/outbox/.new-x", "x")
            try Self.write("\(Self.gitDirectory)/objects/pack/pack-x.keep", "git-talk\n")
        }
        #expect(found.allSatisfy { $0.isNote })
    }

    // MARK: Objects

    @Test func anEmptyObjectGoesSinceItWouldKeepItselfFromBeingWritten() async throws {
        try await check([.object]) {
            let id = try git("hash-object", "-w", "--stdin", in: Self.root, input: "loose\n")
            try Self.write("\(Self.gitDirectory)/objects/\(id.prefix(2))/\(id.dropFirst(2))", "")
        }
    }

    @Test func aDamagedObjectIsMovedOutOfTheWay() async throws {
        let repaired = try await check([.object]) {
            let id = try git("hash-object", "-w", "--stdin", in: Self.root, input: "loose\n")
            try Self.write("\(Self.gitDirectory)/objects/\(id.prefix(2))/\(id.dropFirst(2))", "not zlib")
        }
        #expect(repaired[0].repair?.contains(".git/git-talk/damaged/object-") == true)
    }

    @Test(arguments: [false, true]) func ofATornPackWhatIsWholeIsKept(hasIndexOfAll: Bool) async throws {
        let repaired = try await check([.pack, .history, .pending], left: [.pending]) {
            if hasIndexOfAll { try git("multi-pack-index", "write", in: Self.root) }
            // The one with the second revision, without its last object and its digest.
            let path = try Self.pack(of: "\(Self.branch)~1") + ".pack"
            let bytes = try Self.bytes(path)
            try Self.write(path, Array(bytes.dropLast(40)) + [UInt8](repeating: 0, count: 40))
        }
        #expect(try await revisions(bridge) == [1, 3], "\(repaired)")
        #expect(try await revisions(Self.arch) == [11, 12, 13])
        #expect(try Store.open(at: Self.root).state(of: bridge)?.lost == [RevisionID(rawValue: 2)])
    }

    @Test(arguments: [false, true]) func aPackGetsItsIndexAgain(isGarbage: Bool) async throws {
        try await Self.prepare()
        let path = try Self.pack(of: Self.branch)
        if isGarbage {
            try Self.write(path + ".idx", "garbage")
        } else {
            try Files.remove(path + ".idx")
            try Files.mark(path + ".pack", at: 1_700_000_000)
        }
        let found = try await Self.examine()
        #expect(found.contains { $0.kind == .pack })
        let repaired = try await Store.open(at: Self.root).repair(gitProgram())
        #expect(repaired.contains { $0.kind == .pack && $0.repair == "its index is made anew" }, "\(repaired)")
        #expect(try await Self.examine() == [])
        #expect(try await revisions(bridge) == [1, 2, 3])
        #expect(try fsck() == [])
    }

    // MARK: References and histories

    @Test(arguments: ["", "nonsense\n", "\0\0\0\0"]) func aBranchIsFoundAgain(_ text: String) async throws {
        try await Self.prepare()
        let tip = try git("rev-parse", "refs/heads/en.wiki.example/Talk/Arch", in: Self.root)
        try Self.write("\(Self.gitDirectory)/refs/heads/en.wiki.example/Talk/Arch", text)
        let found = try await Self.examine()
        #expect(Set(found.map(\.kind)) == [.reference, .history])
        _ = try await Store.open(at: Self.root).repair(gitProgram())
        #expect(try await Self.examine() == [])
        #expect(try git("rev-parse", "refs/heads/en.wiki.example/Talk/Arch", in: Self.root) == tip)
    }

    @Test func headAndMainComeBack() async throws {
        try await check([.reference]) {
            try Self.write("\(Self.gitDirectory)/HEAD", "")
            try Files.remove("\(Self.gitDirectory)/refs/heads/main")
        }
        #expect(try git("rev-parse", "main", in: Self.root) == "c2c974d1242f1a00b309cb849ecd3298e01819b8\n")
    }

    @Test func aCommitOfSomebodysIsTakenOffTheBranchAndKept() async throws {
        try await check([.history, .files]) {
            let arch = StoreLayout.branch(of: Self.arch)
            let commit = try git(
                "commit-tree", "\(arch)^{tree}", "-p", arch, in: Self.root, input: "My own words\n")
            try git("update-ref", arch, commit, in: Self.root)
        }
        #expect(try await revisions(Self.arch) == [11, 12, 13])
        #expect(
            try git("log", "--format=%s", "-1", "refs/aside/en.wiki.example/Talk/Arch", in: Self.root)
                == "My own words\n")
    }

    @Test func commitsInTheWrongOrderAreSorted() async throws {
        var tip = ""
        try await check([.history, .files]) {
            let arch = StoreLayout.branch(of: Self.arch)
            tip = try git("rev-parse", arch, in: Self.root)
            var parent: String?
            for name in ["\(arch)", "\(arch)~2", "\(arch)~1"] {
                let text = try git("cat-file", "commit", name, in: Self.root)
                var lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
                    !$0.hasPrefix("parent ")
                }
                if let parent { lines.insert("parent \(parent)", at: 1) }
                parent = try git(
                    "hash-object", "-t", "commit", "-w", "--stdin", in: Self.root, input: lines.joined(separator: "\n"))
            }
            try git("update-ref", arch, #require(parent), in: Self.root)
        }
        #expect(try git("rev-parse", StoreLayout.branch(of: Self.arch), in: Self.root) == tip)
    }

    @Test func packedReferencesAreANote() async throws {
        let found = try await check([.git]) { try git("pack-refs", "--all", in: Self.root) }
        #expect(found.allSatisfy { $0.isNote })
        #expect(try await revisions(bridge) == [1, 2, 3])
    }

    @Test func aDamagedCopyOfARemoteGoes() async throws {
        try await check([.reference]) {
            let path = "\(Self.gitDirectory)/refs/remotes/hub/en.wiki.example/Talk/Arch"
            try Self.write(path, String(repeating: "1", count: 40) + "\n")
        }
    }

    // MARK: What the user wrote

    @Test func aPendingBranchThatIsLostKeepsItsReplies() async throws {
        try await check([.reference, .pending, .files], left: [.pending]) {
            try Self.write("\(Self.gitDirectory)/\(StoreLayout.pendingBranch(of: bridge))", "")
        }
        #expect(try Store.open(at: Self.root).outboxEntry(makeReply(1).id)?.reply.text == "I agree.")
    }

    @Test func aReplyThatHasNeitherBranchNorJournalIsTakenFromThePagesFiles() async throws {
        let id = makeReply(1).id
        try await check([.reference, .pending, .files, .journal]) {
            try Self.write("\(Self.gitDirectory)/\(StoreLayout.pendingBranch(of: bridge))", "")
            try Self.write("\(Self.gitDirectory)/git-talk/outbox/\(id).json", "{")
        }
        let entry = try #require(try Store.open(at: Self.root).outboxEntry(id))
        #expect(entry.reply == makeReply(1, base: 3) && entry.state == .unknown)
    }

    @Test func aReplyWhoseJournalIsGoneIsTakenFromItsBranch() async throws {
        let id = makeReply(1).id
        try await check([.journal]) { try Files.remove("\(Self.gitDirectory)/git-talk/outbox/\(id).json") }
        let entry = try #require(try Store.open(at: Self.root).outboxEntry(id))
        // Whether it was sent is not known, so it is not sent.
        #expect(entry.reply == makeReply(1, base: 3) && entry.state == .unknown)
        #expect(try git("rev-parse", "--verify", StoreLayout.pendingBranch(of: bridge), in: Self.root).count == 41)
    }

    @Test func aJournalThatCannotBeReadIsNamed() async throws {
        let id = makeReply(1).id, lone = makeReply(7).id
        try await check([.journal], left: [.journal]) {
            try Self.write("\(Self.gitDirectory)/git-talk/outbox/\(id).json", "{")
            try Self.write("\(Self.gitDirectory)/git-talk/outbox/\(lone).json", "half a text")
        }
        #expect(
            try Self.bytes("\(Self.gitDirectory)/git-talk/damaged/journal-\(lone).json") == Array("half a text".utf8))
    }

    @Test(arguments: [false, true]) func whatWasSetAsideComesBack(isJournalGone: Bool) async throws {
        let id = makeReply(2).id
        try await check([.reference, .discarded]) {
            try Self.write("\(Self.gitDirectory)/refs/discarded/\(id)", "")
            if isJournalGone { try Files.remove("\(Self.gitDirectory)/git-talk/outbox/\(id).json") }
        }
        #expect(try await Store.open(at: Self.root).discarded(id)?.text == "Never mind.")
    }

    @Test func whatWasSetAsideIsNotInItsJournalAlone() async throws {
        let id = makeReply(2).id
        try await check([.discarded]) { try Files.remove("\(Self.gitDirectory)/refs/discarded/\(id)") }
        #expect(try await Store.open(at: Self.root).discarded(id)?.text == "Never mind.")
    }

    // MARK: What is shared, and what was purged

    @Test func bookmarksComeBackFromEarlierVersions() async throws {
        try await check([.reference, .shared]) { try Self.write("\(Self.gitDirectory)/refs/meta/bookmarks", "") }
        #expect(try await Store.open(at: Self.root).bookmarks() == [Self.arch])
    }

    @Test func aPackLosesNothingWhenOnlyItsIndexIsDamaged() async throws {
        try await check([.pack, .shared]) {
            let index = try Self.pack(of: "refs/meta/bookmarks") + ".idx"
            var bytes = try Self.bytes(index)
            // The last byte of the first name, after the head and the table of 256 numbers.
            bytes[8 + 1024 + 19] ^= 1
            try Self.write(index, bytes)
        }
        #expect(try await Store.open(at: Self.root).bookmarks() == [Self.arch])
    }

    @Test func ofARecordThatSomebodyChangedWhatIsRightIsKept() async throws {
        try await check([.shared]) {
            let blob = try git("hash-object", "-w", "--stdin", in: Self.root, input: "many\n")
            let tree = try git("ls-tree", "refs/meta/bookmarks", in: Self.root)
            let other = try git("mktree", in: Self.root, input: tree + "100644 blob \(blob)\tnotes\n")
            let commit = try git("commit-tree", other, in: Self.root, input: "mine\n")
            try git("update-ref", "refs/meta/bookmarks", commit, in: Self.root)
        }
        #expect(try await Store.open(at: Self.root).bookmarks() == [Self.arch])
    }

    @Test func whatWasPurgedComesBackFromItsLog() async throws {
        let purged = [RevisionID(rawValue: 9): PurgedParts.text]
        try await check([.shared]) {
            let store = try Store.open(at: Self.root)
            try await store.logPurge(purged, of: Self.arch, at: "2024-03-01T12:00:00Z")
            let pack = try Self.pack(of: "refs/meta/purged")
            for end in ["idx", "pack"] { try Files.remove("\(pack).\(end)") }
        }
        #expect(try await Store.open(at: Self.root).purged(of: Self.arch) == purged)
    }

    @Test func whatWasPurgedIsInNoObject() async throws {
        var tip = ""
        try await check([.purged]) {
            let store = try Store.open(at: Self.root)
            tip = try git("rev-parse", StoreLayout.branch(of: Self.arch) + "~1", in: Self.root)
            _ = try await store.purge([RevisionID(rawValue: 12): .text], of: Self.arch)
        }
        #expect(try runGit(["cat-file", "-e", String(tip.dropLast())], in: Self.root).status != 0)
    }

    @Test func whatIsReferredToIsNotCalledRemoved() async throws {
        let repaired = try await check([.purged], left: [.purged]) {
            try git("tag", "keepme", StoreLayout.branch(of: Self.arch) + "~1", in: Self.root)
            _ = try await Store.open(at: Self.root).purge([RevisionID(rawValue: 12): .text], of: Self.arch)
        }
        let finding = try #require(repaired.first { $0.kind == .purged })
        #expect(finding.repair == nil)
        #expect(finding.hint == "delete what refers to it (refs/tags/keepme), then: git talk doctor")
        try git("tag", "--delete", "keepme", in: Self.root)
        let again = try await Store.open(at: Self.root).repair(gitProgram())
        #expect(again.first { $0.kind == .purged }?.repair == "what nothing leads to is removed from the store")
        #expect(try await Self.examine().allSatisfy(\.isNote))
    }

    @Test func whatWasPurgedButForItsBranchGoesFromThat() async throws {
        try await check([.history, .purged]) {
            let arch = StoreLayout.branch(of: Self.arch)
            let tip = try git("rev-parse", arch, in: Self.root)
            _ = try await Store.open(at: Self.root).purge([RevisionID(rawValue: 12): .text], of: Self.arch)
            try git("update-ref", arch, String(tip.dropLast()), in: Self.root)
            try await Store.open(at: Self.root).refresh(Self.arch)
        }
        #expect(try await revisions(Self.arch) == [11, 13])
    }

    // MARK: Files

    @Test func filesAreMadeAnewAndWhatSomebodyWroteThereIsKept() async throws {
        let file = Self.root + "/en.wiki.example/Talk/Arch/lede.html"
        try await check([.files]) { try Self.write(file, "<p>My notes</p>\n") }
        #expect(try Self.bytes(file) == Array("<p>Lede</p>\n".utf8))
        #expect(try Files.information(file)?.permissions == 0o444)
        let kept = Self.gitDirectory + "/git-talk/damaged/files-en.wiki.example%2FTalk%2FArch/lede.html"
        #expect(try Self.bytes(kept) == Array("<p>My notes</p>\n".utf8))
    }

    @Test(arguments: ["stamp", "cut", "mode", "stray", "gone"]) func filesThatDoNotFitAreMadeAnew(
        _ damage: String
    ) async throws {
        let directory = Self.root + "/en.wiki.example/Talk/Arch"
        try await check([.files]) {
            switch damage {
            case "stamp": try Files.remove(directory + "/.stamp")
            case "cut": try Self.write(directory + "/lede.html", "")
            case "mode": try Files.permit(directory + "/lede.html", 0o644)
            case "stray": try FileManager.default.copyItem(atPath: directory, toPath: directory + "way")
            default: try Files.removeTree(directory)
            }
        }
        #expect(try Files.information(directory + "way") == nil)
        #expect(try Store.open(at: Self.root).reader.page(Self.arch)?.content == makeContent(["arch 3"]))
        #expect(try Files.information(Self.gitDirectory + "/git-talk/damaged") == nil)
    }

    @Test func whatThisMachineKnowsIsAskedForAgain() async throws {
        try await check([.state]) {
            try Self.write(Self.gitDirectory + "/git-talk/state/en.wiki.example/Talk/Arch.json", "{")
            try Self.write(Self.gitDirectory + "/git-talk/threads/en.wiki.example/Talk/Arch.json", "")
            try Self.write(Self.gitDirectory + "/git-talk/wikis/en.wiki.example.json", "[]")
        }
        #expect(try Store.open(at: Self.root).state(of: Self.arch)?.isKept == true)
    }

    // MARK: Who else is at work

    @Test func waitsForNobodyForEver() async throws {
        try await Self.prepare()
        let lock = try FileLock.take(.shared, at: Self.gitDirectory + "/git-talk/lock", wait: 0)
        let store = try Store.open(at: Self.root, wait: 0.05)
        let looking = await #expect(throws: TalkError.self) { try await store.examine(now: 0) }
        let repairing = await #expect(throws: TalkError.self) { try await store.repair(nil) }
        #expect(looking?.kind == .busy && repairing?.kind == .busy)
        lock?.release()
    }
}
