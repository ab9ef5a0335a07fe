public import Foundation
public import Testing

/// Gives each test of a suite a directory of its own, gone when the test ends.
public struct TemporaryDirectory: TestTrait, SuiteTrait, TestScoping {
    /// The directory of the running test.
    @TaskLocal public static var current = URL(fileURLWithPath: "/nonexistent")

    /// True: each test of a suite has its own.
    public var isRecursive: Bool { true }

    /// Makes the directory, runs the test, removes the directory.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let directory = FileManager.default.temporaryDirectory.appending(path: "git-talk-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await Self.$current.withValue(directory) { try await function() }
    }
}

extension Trait where Self == TemporaryDirectory {
    /// A fresh directory for each test, at `TemporaryDirectory.current`.
    public static var temporaryDirectory: Self { Self() }
}
