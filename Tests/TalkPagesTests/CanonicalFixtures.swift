import Foundation
import TalkPages
import Testing

/// Files of `Fixtures/canonical`, and the material that lies beside a development checkout.
enum CanonicalFixtures {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/canonical")

    static func text(_ path: String) throws -> String {
        try String(contentsOf: directory.appending(path: path), encoding: .utf8)
    }

    /// Names of the files in one of its folders, sorted.
    static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.appending(path: folder).path)) ?? [])
            .filter { $0.hasSuffix(".html") }.sorted()
    }

    /// The folder with the corpus and the recordings, when it lies beside the checkout or is named by
    /// `GIT_TALK_SHARED`.
    static let shared: URL? = {
        let named = ProcessInfo.processInfo.environment["GIT_TALK_SHARED"].map { URL(filePath: $0) }
        let beside = directory.appending(path: "../../../../../shared").standardizedFileURL
        return [named, beside].compactMap { $0 }.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "corpus").path)
        }
    }()

    static let wiki = Wiki(
        key: "wiki.example", api: "https://wiki.example/w/api.php", server: "https://wiki.example",
        articlePath: "/wiki/$1", script: "/w/index.php", generator: "MediaWiki 1.39.17", siteName: "Wiki",
        language: "en", isRightToLeft: false, timezone: "UTC", namespaces: [], interwikiPrefixes: [],
        contributionsNames: ["Contributions"], signatureFormats: [], hasDiscussionTools: true)
}

extension PageContent {
    /// The files' bytes by name: `String` also takes other normal forms for equal.
    var filesByName: [String: [UInt8]] {
        var files = ["lede.html": Array(lede.utf8), "page.json": Array(PageTreeJSON.write(sections).utf8)]
        for section in sections { files[section.file] = Array(section.html.utf8) }
        return files
    }

    /// All files' text in page order.
    var joinedText: String { lede + sections.map(\.html).joined() }
}
