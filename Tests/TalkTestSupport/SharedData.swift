public import Foundation
public import Testing

/// Talk pages and recorded exchanges that are too large, or not free enough, to stand in this repository.
///
/// They lie in a directory `shared` beside the repository, or where `GIT_TALK_SHARED` points. A checkout without them is
/// complete: the tests that want them skip, and say so.
///
/// ```swift
/// @Suite(.sharedData("corpus")) struct CorpusTests {
///     @Test(arguments: SharedData.directories(in: "corpus/cases")) func … (folder: URL)
/// }
/// ```
public enum SharedData {
    /// The directory, or nil where there is none.
    public static let directory: URL? = {
        let named = ProcessInfo.processInfo.environment["GIT_TALK_SHARED"].map { URL(filePath: $0) }
        let beside = repositoryRoot.deletingLastPathComponent().appending(path: "shared")
        let candidate = named ?? beside
        return isDirectory(candidate) ? candidate.standardizedFileURL : nil
    }()

    /// The root of this repository's checkout.
    public static let repositoryRoot = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    /// The file or folder at `path` inside the shared directory, or nil where it is absent.
    public static func file(_ path: String) -> URL? {
        guard let file = directory?.appending(path: path) else { return nil }
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    /// The folders directly inside `path`, sorted by name; none where `path` is absent.
    public static func directories(in path: String) -> [URL] {
        contents(of: path).filter(isDirectory)
    }

    /// The files directly inside `path` whose names end in `suffix`, sorted by name; none where `path` is absent.
    public static func files(in path: String, endingWith suffix: String = "") -> [URL] {
        contents(of: path).filter { !isDirectory($0) && $0.lastPathComponent.hasSuffix(suffix) }
    }

    private static func contents(of path: String) -> [URL] {
        guard let folder = file(path) else { return [] }
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private static func isDirectory(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, visibly, unless the shared directory holds `path`.
    public static func sharedData(_ path: String) -> Self {
        .enabled(
            if: SharedData.file(path) != nil,
            "no shared/\(path) beside the repository; set GIT_TALK_SHARED to the directory that holds it")
    }
}
