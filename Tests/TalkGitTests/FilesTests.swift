import Foundation
import TalkTestSupport
import Testing

@testable import TalkGit

@Suite(.temporaryDirectory) struct FilesTests {
    private func path(_ name: String) -> String { "\(TemporaryDirectory.current.path)/\(name)" }

    @Test func readsAndReplacesWholeFiles() throws {
        #expect(try Files.read(path("a")) == nil)
        #expect(try Files.read(path("none/a")) == nil)
        let long = [UInt8](repeating: 7, count: 300_000)
        try Files.replace(path("a"), long, mode: 0o600, scratch: path("a.new"), durable: true)
        #expect(try Files.read(path("a")) == long)
        try Files.replace(path("a"), [], mode: 0o444, scratch: path("a.new"))
        #expect(try Files.read(path("a")) == [])
        #expect(try Files.information(path("a"))?.permissions == 0o444)
        #expect(try Files.list(TemporaryDirectory.current.path) == ["a"])
        #expect(throws: FileError.self) { try Files.create(path("a"), [1], mode: 0o600) }
    }

    @Test func replacesAScratchFileThatACrashLeft() throws {
        try Files.create(path("a.new"), [9, 9], mode: 0o600)
        try Files.replace(path("a"), [1], mode: 0o600, scratch: path("a.new"))
        #expect(try Files.read(path("a")) == [1])
    }

    @Test func makesAndRemovesDeepDirectoriesWithoutFollowingLinks() throws {
        try Files.create(path("outside"), [1], mode: 0o600)
        let deep = path("d/" + String(repeating: "x/", count: 200) + "y")
        try Files.makeDirectories(deep, durable: true)
        try Files.makeDirectories(deep)
        try FileManager.default.createSymbolicLink(atPath: deep + "/link", withDestinationPath: path("outside"))
        try FileManager.default.createSymbolicLink(
            atPath: path("d/here"), withDestinationPath: TemporaryDirectory.current.path)
        #expect(try !Files.removeEmptyDirectory(path("d")))
        try Files.removeTree(path("d"))
        try Files.removeTree(path("d"))
        #expect(try Files.list(TemporaryDirectory.current.path) == ["outside"])
        #expect(throws: FileError.self) { try Files.makeDirectories(path("outside/z")) }
    }

    @Test func tellsDirectoriesFromTheRest() throws {
        try Files.makeDirectories(path("d/inner"))
        try Files.create(path("d/file"), [1], mode: 0o600)
        try FileManager.default.createSymbolicLink(atPath: path("d/link"), withDestinationPath: path("d/inner"))
        let kinds = try #require(try Files.kinds(in: path("d")))
        #expect(
            Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0.isDirectory) })
                == ["inner": true, "file": false, "link": false])
        #expect(try Files.kinds(in: path("none")) == nil)
    }

    @Test func exchangesDirectoriesInOneStep() throws {
        for name in ["a", "b"] {
            try Files.makeDirectories(path(name))
            try Files.create(path("\(name)/\(name)"), [], mode: 0o600)
        }
        #expect(try Files.exchange(path("a"), path("b")))
        #expect(try Files.list(path("a")) == ["b"])
        #expect(throws: FileError.self) { _ = try Files.exchange(path("a"), path("none")) }
    }

    @Test func anOpenDirectoryStaysTheSame() throws {
        for name in ["a", "b"] {
            try Files.makeDirectories(path(name))
            try Files.create(path("\(name)/f"), Array(name.utf8), mode: 0o600)
        }
        let directory = try OpenDirectory(path("a"))
        #expect(try Files.exchange(path("a"), path("b")))
        #expect(try directory.read("f") == Array("a".utf8))
        try FileManager.default.createSymbolicLink(atPath: path("b/link"), withDestinationPath: path("a/f"))
        #expect(throws: FileError.self) { try directory.read("link") }
        #expect(throws: FileError.self) { try directory.read("none") }
    }

    @Test func aLinkKeepsInodeAndTime() throws {
        try Files.create(path("a"), [1], mode: 0o444)
        let before = try Files.information(path("a"))
        try Files.link(path("a"), as: path("b"))
        let after = try Files.information(path("b"))
        #expect(after?.inode == before?.inode && after?.modified == before?.modified && after?.permissions == 0o444)
    }

    @Test func namesTheCauseThatTheUserCanRemove() {
        #expect(FileError(code: ENOSPC, "write", "x").cause == .full)
        #expect(FileError(code: EDQUOT, "write", "x").cause == .full)
        #expect(FileError(code: EROFS, "open", "x").cause == .readOnly)
        #expect(FileError(code: EACCES, "open", "x").cause == .denied)
        #expect(FileError(code: EIO, "open", "x").cause == nil)
        #expect(FileError(code: ENAMETOOLONG, "open", "x").isTooLong)
    }

    @Test func aDeviceThatIsFullIsReported() throws {
        let error = #expect(throws: FileError.self) {
            let full = try Descriptor(opening: "/dev/full", O_WRONLY)
            try full.write([1], path: "/dev/full")
        }
        #expect(error?.cause == .full)
    }
}

@Suite(.temporaryDirectory) struct FileLockTests {
    private var path: String { "\(TemporaryDirectory.current.path)/lock" }

    @Test func sharesOrExcludes() throws {
        let first = try #require(try take(.shared))
        let second = try #require(try take(.shared))
        #expect(try take(.exclusive) == nil)
        first.release()
        #expect(try take(.exclusive) == nil)
        second.release()
        let third = try #require(try take(.exclusive))
        #expect(try take(.shared) == nil)
        third.release()
        #expect(try take(.shared) != nil)
    }

    @Test func waitsUntilTheOtherLetsGo() async throws {
        let path = path
        let lock = try #require(try take(.exclusive))
        let waiter = Task.detached { () throws -> Bool in
            guard let lock = try FileLock.take(.exclusive, at: path, wait: 30) else { return false }
            lock.release()
            return true
        }
        lock.release()
        #expect(try await waiter.value)
    }

    @Test func endsWithItsProcess() async throws {
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            guard let lock = try FileLock.take(.exclusive, at: path, wait: 0) else { return }
            let held = HeldLock(lock)
            if try FileLock.take(.exclusive, at: path, wait: 0) == nil { _exit(7) }
            held.release()
        }
        #expect(try take(.exclusive) != nil)
    }

    private func take(_ mode: FileLock.Mode) throws -> HeldLock? {
        guard let lock = try FileLock.take(mode, at: path, wait: 0.02) else { return nil }
        return HeldLock(lock)
    }
}

/// The macros of Testing need copyable values.
private final class HeldLock {
    private var lock: FileLock?

    init(_ lock: consuming FileLock) { self.lock = consume lock }

    func release() { lock = nil }
}

extension HeldLock: Equatable {
    static func == (a: HeldLock, b: HeldLock) -> Bool { a === b }
}
