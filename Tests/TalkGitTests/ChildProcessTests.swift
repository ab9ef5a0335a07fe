import Foundation
import TalkTestSupport
import Testing

@testable import TalkGit

@Suite(.temporaryDirectory) struct ChildProcessTests {
    private let environment = ["PATH": "/usr/bin:/bin", "WORD": "a b"]

    private func shell(
        _ script: String, input: [UInt8] = [], seconds: Double = 30, outputLimit: Int = 1 << 20, holding: Int32? = nil
    ) throws -> ChildProcess.Result {
        try ChildProcess("/bin/sh", ["-c", script], environment: environment).run(
            input: input, seconds: seconds, outputLimit: outputLimit, holding: holding)
    }

    @Test func givesBothOutputsAndTheStatus() throws {
        let result = try shell("cat; printf '%s' \"$WORD$HOME\" >&2; exit 3", input: Array("über\n".utf8))
        #expect(result.ending == .exited(3))
        #expect(result.output == Array("über\n".utf8) && result.errors == Array("a b".utf8))
    }

    @Test func movesMoreThanAPipeHolds() throws {
        let input = [UInt8](repeating: 0x61, count: 1 << 19)
        let result = try shell("cat; cat >&2", input: input)
        #expect(result.output == input && result.errors.isEmpty && result.ending == .exited(0))
    }

    @Test func survivesAProgramThatReadsNothing() throws {
        let result = try shell("exec <&-; echo done", input: [UInt8](repeating: 0x61, count: 1 << 22))
        #expect(result.output == Array("done\n".utf8) && result.ending == .exited(0))
    }

    @Test func stopsWhatTakesTooLong() throws {
        #expect(try shell("exec sleep 60", seconds: 0.05).ending == .outOfTime)
        // Also one that does not listen, and one that has nothing to say any more.
        #expect(try shell("trap '' TERM; exec sleep 60", seconds: 0.05).ending == .outOfTime)
        #expect(try shell("exec sleep 60 >&- 2>&-", seconds: 0.05).ending == .outOfTime)
    }

    @Test func stopsWhatPrintsTooMuch() throws {
        let result = try shell("exec cat /dev/zero", outputLimit: 1000)
        #expect(result.ending == .tooMuchOutput && result.output.count == 1001)
        #expect(try shell("head -c 1000 /dev/zero", outputLimit: 1000).ending == .exited(0))
        #expect(try shell("head -c 1001 /dev/zero", outputLimit: 1000).ending == .tooMuchOutput)
    }

    @Test func doesNotWaitForWhatTheProgramLeftBehind() throws {
        let result = try shell("sleep 3600 & echo $!; exit 0")
        #expect(result.ending == .exited(0))
        let left = try #require(String(decoding: result.output, as: UTF8.self).split(separator: "\n").first)
        _ = try shell("kill \(left)")
    }

    @Test func saysThatASignalEndedIt() throws { #expect(try shell("kill -9 $$").ending == .signalled(9)) }

    @Test func cannotStartWhatIsNotThere() {
        let program = ChildProcess("/nonexistent", [], environment: [:])
        let error = #expect(throws: FileError.self) { try program.run(seconds: 1, outputLimit: 1) }
        #expect(error?.isMissing == true)
    }

    private func isFree(_ path: String, within seconds: Double) throws -> Bool {
        guard let lock = try FileLock.take(.exclusive, at: path, wait: seconds) else { return false }
        lock.release()
        return true
    }

    @Test func aLockIsHeldAsLongAsTheProgramRuns() throws {
        let path = TemporaryDirectory.current.appending(path: "lock").path
        guard var lock = try FileLock.take(.exclusive, at: path, wait: 0) else {
            Issue.record("the lock is not free")
            return
        }
        let result = try shell("sleep 3600 >&- 2>&- & echo $!", holding: lock.handOn())
        lock.release()
        let left = try #require(String(decoding: result.output, as: UTF8.self).split(separator: "\n").first)
        let isFreeAtOnce = try isFree(path, within: 0)
        _ = try shell("kill \(left)")
        #expect(!isFreeAtOnce)
        #expect(try isFree(path, within: 5))
    }

    @Test func handsNoOtherFileOn() throws {
        let path = TemporaryDirectory.current.appending(path: "lock").path
        guard var lock = try FileLock.take(.shared, at: path, wait: 0) else {
            Issue.record("the lock is not free")
            return
        }
        // 0, 1, 2, the lock, and the directory that is being listed.
        let list = try shell("ls /proc/self/fd | wc -l", holding: lock.handOn())
        #expect(String(decoding: list.output, as: UTF8.self) == "5\n")
        #expect(String(decoding: try shell("ls /proc/self/fd | wc -l").output, as: UTF8.self) == "4\n")
        lock.release()
    }
}
