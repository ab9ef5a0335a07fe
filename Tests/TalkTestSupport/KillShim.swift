public import Foundation
public import Testing

/// Programs that end before their n-th change of the disk, by `Tests/Kill/kill.c`.
public enum KillShim {
    /// A C compiler; nil where there is none.
    static let compiler: String? = {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/opt/swift/usr/bin"
        let candidates = path.split(separator: ":").flatMap { directory in
            ["cc", "clang", "gcc"].map { "\(directory)/\($0)" }
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The library to load into a program, made in the directory unless it is there.
    private static func library(in directory: URL) throws -> String {
        let library = directory.appending(path: "kill.so").path
        if FileManager.default.fileExists(atPath: library) { return library }
        let source = SharedData.repositoryRoot.appending(path: "Tests/Kill/kill.c").path
        let process = Process()
        process.executableURL = URL(filePath: try #require(compiler))
        process.arguments = ["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source, "-ldl"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return library
    }

    /// Makes a program that runs git and is ended, with all that it started, before its n-th change of the disk.
    ///
    /// Without a number it is never ended. With `powerFails` what was not flushed is lost, too. Gives its path.
    public static func git(in directory: URL, endingAt step: Int?, powerFails: Bool = false) throws -> String {
        let path = directory.appending(path: "git").path
        let variables = try variables(in: directory, endingAt: step, powerFails: powerFails)
            .map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        // A session of its own, since the whole process group is ended.
        try Data("#!/bin/sh\nexec env \(variables) setsid git \"$@\"\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    /// The environment of a program that is ended so.
    ///
    /// It must have a session of its own, since its whole process group is ended.
    public static func variables(
        in directory: URL, endingAt step: Int?, powerFails: Bool = false
    ) throws -> [String: String] {
        let count = directory.appending(path: "count").path
        try? FileManager.default.removeItem(atPath: count)
        var variables = ["KILL_COUNT": count, "LD_PRELOAD": try library(in: directory)]
        if let step { variables["KILL_AT"] = "\(step)" }
        if powerFails { variables["KILL_POWER"] = "1" }
        return variables
    }

    /// How many changes the program has made that was started with what was made for this directory.
    public static func changes(in directory: URL) throws -> Int {
        let bytes = try Data(contentsOf: directory.appending(path: "count")).prefix(8)
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension KillShim {
    /// Whether it can be made here.
    public static var isThere: Bool { compiler != nil }
}

extension Trait where Self == ConditionTrait {
    /// Only where there is a C compiler.
    public static var killShim: Self { .enabled(if: KillShim.compiler != nil, "there is no C compiler") }
}
