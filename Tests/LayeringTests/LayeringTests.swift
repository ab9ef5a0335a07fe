import Foundation
import Testing

/// Each target imports only what its layer may.
///
/// SwiftPM itself lets a target import whatever its dependencies depend on; this keeps the layers of docs/ARCHITECTURE.md.
@Suite struct LayeringTests {
    static let allowed: [String: Set<String>] = [
        "TalkGit": ["CLibgit2"],
        "TalkHTTP": ["CLibcurl"],
        "TalkHTML": ["CGumbo"],
        "TalkServer": ["CMicrohttpd"],
        "TalkPages": ["TalkHTML"],
        "TalkStore": ["TalkGit", "TalkPages"],
        "TalkSync": ["TalkHTTP", "TalkStore", "TalkPages"],
        "TalkReader": ["TalkServer", "TalkStore", "TalkPages", "TalkHTML"],
        "TalkCommands": ["TalkReader", "TalkSync", "TalkStore", "TalkPages"],
        "git-talk": ["TalkCommands", "CMalloc"],
    ]
    static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardizedFileURL

    @Test(arguments: allowed.keys.sorted())
    func importsOnlyItsLayer(target: String) throws {
        let ours = Self.allowed.values.reduce(into: Set(Self.allowed.keys)) { $0.formUnion($1) }
        let files = try #require(
            FileManager.default.enumerator(at: Self.sources.appending(path: target), includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let index = words.firstIndex(of: "import"), index <= 2, let module = words.last else { continue }
                let name = String(module.prefix { $0 != "." })
                if ours.contains(name) {
                    #expect(Self.allowed[target]!.contains(name), "\(file.lastPathComponent) imports \(name)")
                }
            }
        }
    }
}
