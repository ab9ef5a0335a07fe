import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Stores where none can be, and disks that are full or read-only.
@Suite(.temporaryDirectory) struct StorePlaceTests {
    let paper = PaperWiki()

    @Test func whereNoDirectoryCanBeNoStoreIsMade() async throws {
        let program = try TestProgram()
        let file = program.home.appending(path: "letter")
        try Data("mine".utf8).write(to: file)
        for (place, words, exitCode) in [
            (file.path, "is there but is no store of git-talk", ExitCode.damaged),
            (file.path + "/store", "no directory can be made there", .failure),
            ("/dev/null/store", "no directory can be made there", .failure),
            ("/proc/git-talk/store", "no directory can be made there", .failure),
            ("/dev/full", "is there but is no store of git-talk", .damaged),
        ] {
            let result = await program.run("--store", place, "pull", paper.page)
            #expect(result.exitCode == exitCode, "\(place): \(result.error)")
            #expect(result.error.contains(words) && result.error.contains("\nhint: name a"), "\(result.error)")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
        #expect(paper.stub.calls.isEmpty)
    }

    @Test func filesThatSomebodyChangedAreMadeAnew() async throws {
        let program = try TestProgram()
        await program.run("pull", paper.page)
        await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Before.")
        let found = try program.git("ls-tree", "-r", "--name-only", "refs/heads/" + branch(program))
        let section = try #require(found.split(separator: "\n").first { $0.hasSuffix("Width.html") })
        let directory = program.store.appending(path: try branch(program))
        let file = directory.appending(path: String(section))
        let whole = try Data(contentsOf: file)
        try Data("<p>cut".utf8).write(to: file)
        let reply = await program.run("reply", "Talk:Bridge", "h-Ramp", "-m", "After.")
        #expect(reply.exitCode == .damaged && reply.error.contains("make them anew: git talk pull"), "\(reply.error)")
        let pull = await program.run("pull", "Talk:Bridge")
        #expect(pull.exitCode == .done && pull.output.contains("unchanged"), "\(pull.error)")
        #expect(try Data(contentsOf: file) == whole)
        #expect(await program.run("reply", "Talk:Bridge", "h-Ramp", "-m", "After.").exitCode == .done)
        try FileManager.default.removeItem(at: directory)
        #expect(await program.run("pull", "Talk:Bridge").exitCode == .done)
        let shown = await program.run("show", "Talk:Bridge").output
        #expect(shown.contains("Before.") && shown.contains("After."))
    }

    private func branch(_ program: TestProgram) throws -> String {
        let branches = try program.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads")
        let name = branches.split(separator: "\n").first { $0.hasSuffix("/Talk/Bridge") && !$0.hasPrefix("pending/") }
        return String(try #require(name))
    }

    // MARK: Disks

    /// A file system of one's own needs no rights but a namespace.
    private static let disks = ConditionTrait.enabled(
        if: {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }(), "this system lets nobody mount a file system in a namespace, unshare -rm")

    /// Runs a script in which `disk` is a directory to mount on and `git-talk` uses the store in it.
    private func run(_ script: String, _ program: BuiltProgram) throws -> String {
        let disk = program.directory.appending(path: "disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        let variables = [
            "GIT_TALK_STORE": disk.path + "/store", "PAGE": paper.page, "TMPDIR": program.directory.path,
        ]
        let result = try program.run(
            "unshare", "-rm", "sh", "-c", "try() { \"$@\" 2>&1; echo \"exit $?\"; }\n" + script, with: variables)
        #expect(result.status == 0, "\(result.error)")
        return result.output
    }

    @Test(disks) func aFullDiskLosesNothing() throws {
        let program = try BuiltProgram()
        let before = try run(
            """
            mount -t tmpfs -o size=700k tmpfs disk && git-talk pull "$PAGE" 2>/dev/null || exit
            git-talk reply Talk:Bridge c-Carol -m Before. 2>/dev/null
            cp -a disk/store copy
            dd if=/dev/zero of=disk/fill bs=1k 2>/dev/null
            try git-talk reply Talk:Bridge c-Carol -m Meanwhile.
            cat git-talk-reply-*.txt; echo
            export TMPDIR=/nowhere; try git-talk reply Talk:Bridge c-Carol -m 'To be seen.'
            try git-talk pull Talk:Bridge
            try git-talk pull "$PAGE"
            echo show; git-talk show Talk:Bridge | grep -c Before.
            git-talk outbox | grep -c queued
            rm disk/fill
            try git-talk reply Talk:Bridge c-Carol -m After. | grep exit
            git-talk show Talk:Bridge | grep -o 'Before\\.\\|Meanwhile\\.\\|After\\.'
            git -C disk/store fsck --strict --no-dangling 2>&1
            """, program)
        let lines = before.split(separator: "\n").map(String.init)
        #expect(lines.count { $0.hasSuffix("no space is left on the store's disk") } == 4, "\(before)")
        #expect(lines.count { $0.hasSuffix("free some space and repeat the command") } == 4)
        #expect(lines.count { $0 == "exit 1" } == 4)
        // The text is where there is space; without any, where a person sees it.
        #expect(lines.count { $0 == "Meanwhile." || $0 == "To be seen." } == 2, "\(before)")
        #expect(lines.count { $0 == "hint: the text stands above; free some space and repeat the command" } == 1)
        #expect(before.hasSuffix("show\n1\n1\nexit 0\nBefore.\nAfter.\n"), "\(before)")
    }

    /// The disk is full at one step of the pull or the other.
    @Test(disks) func aDiskThatFillsUpInAPullHoldsTheOldPageOrTheNew() throws {
        let program = try BuiltProgram()
        let prepare = """
            git-talk pull "$PAGE" >/dev/null 2>&1 && git-talk reply Talk:Bridge c-Carol -m Before. >/dev/null 2>&1
            """
        _ = try run(prepare, program)
        paper.append("<p>A later word. Bob</p>")
        let output = try run(
            """
            mv disk/store kept
            for free in 0 4 8 12 16 20 24 28 32 36 40 48 56 64 80; do
                mount -t tmpfs -o size=2m tmpfs disk && cp -a kept disk/store
                dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null
                truncate -s -${free}k disk/fill
                git-talk pull Talk:Bridge >out 2>&1
                status=$?
                [ $status -eq 0 ] || grep -q 'no space is left' out || cat out
                git-talk show Talk:Bridge >shown || cat shown
                grep -q Before. shown || cat shown
                git -C disk/store fsck --strict --no-dangling 2>&1
                git-talk outbox | grep -q queued && echo "tried $status"
                rm disk/fill
                git-talk pull Talk:Bridge 2>&1 | grep git-talk:
                git-talk show Talk:Bridge >shown
                grep -q 'cached: revision 12' shown && grep -q Before. shown || cat shown
                umount disk
            done
            """, program)
        let tried = output.split(separator: "\n")
        #expect(tried.allSatisfy { $0 == "tried 0" || $0 == "tried 1" }, "\(output)")
        #expect(tried.contains("tried 0") && tried.contains("tried 1"), "\(output)")
    }

    @Test(disks) func aReadOnlyStoreCanBeRead() throws {
        let program = try BuiltProgram()
        let output = try run(
            """
            git-talk pull "$PAGE" >/dev/null 2>&1 && git-talk reply Talk:Bridge c-Carol -m Before. >/dev/null 2>&1 || exit
            find disk/store/.git/git-talk/threads -type f | while read file; do echo '{}' >"$file"; done
            mount --bind disk disk && mount -o remount,ro,bind disk disk || exit
            git-talk show Talk:Bridge | grep -c 'Before.\\|Four metres.'
            for verb in list log\\ Talk:Bridge outbox wiki; do git-talk $verb >/dev/null && echo "$verb"; done
            try git-talk reply Talk:Bridge c-Carol -m Later.
            try git-talk pull Talk:Bridge
            try git-talk sync
            """, program)
        #expect(output.hasPrefix("2\nlist\nlog Talk:Bridge\noutbox\nwiki\n"), "\(output)")
        let lines = output.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix("the store's disk is read-only") } == 3, "\(output)")
        #expect(lines.count { $0.hasSuffix("make it writable, or use another store") } == 3)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: program.directory.path).contains {
                $0.hasPrefix("git-talk-reply-")
            })
        #expect(lines.count { $0 == "exit 1" } == 3)
    }
}
