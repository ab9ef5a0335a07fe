import Foundation
import TalkHTML
import Testing

@testable import TalkPages

/// Real talk pages with what must be found in them, where they lie beside the repository.
///
/// They are not in the repository, since their texts are under other licences. `GIT_TALK_SHARED` names another place.
@Suite(.enabled(if: ThreadCorpus.isThere, "no talk page corpus beside the repository: set GIT_TALK_SHARED"))
struct ThreadCorpusTests {
    @Test(arguments: ThreadFixture.all(below: ThreadCorpus.root.appending(path: "cases")))
    func findsEveryItem(fixture: ThreadFixture) throws {
        let tree = try fixture.parser().parse(text: try fixture.text())
        expectItems(tree.items, try fixture.expected(), fixture.testDescription)
    }

    @Test func readsEveryDate() throws {
        struct Case: Decodable {
            var wiki: String
            var text: String
            var utc: String?
        }
        let folder = ThreadCorpus.root.appending(path: "timestamps")
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: folder.appending(path: "cases.json")))
        var timestamps: [String: SignatureTimestamp] = [:]
        for item in cases {
            if timestamps[item.wiki] == nil {
                let file = folder.appending(components: "sites", "\(item.wiki).json")
                let wiki = try SiteFile(json: Array(Data(contentsOf: file))).wiki
                timestamps[item.wiki] = SignatureTimestamp(
                    formats: wiki.signatureFormats, zone: try ThreadFixture.zone(wiki.timezone))
            }
            let moment = timestamps[item.wiki]?.first(in: item.text)?.moment
            let expected = try item.utc.map { Int64(try Date($0, strategy: .iso8601).timeIntervalSince1970) }
            #expect(moment == expected, "\(item.wiki): \(item.text)")
        }
    }

    @Test(arguments: ThreadCorpus.folders("newcomments"), ["oldparser", "parsoid"])
    func findsNewComments(folder: URL, renderer: String) throws {
        struct Edit: Decodable {
            var edited_by: String
            var saved_at: Date
        }
        struct Expected: Decodable {
            struct Comment: Decodable { var id: String }
            var new_comments: [Comment]
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let edit = try decoder.decode(Edit.self, from: Data(contentsOf: folder.appending(path: "case.json")))
        let expected = try decoder.decode(
            Expected.self, from: Data(contentsOf: folder.appending(path: "expected.json")))
        let parser = try ThreadFixture.parser(site: folder.appending(path: "site.json"))
        func tree(_ name: String) throws -> ThreadTree {
            let data = try Data(contentsOf: folder.appending(path: "\(name)-\(renderer).html"))
            return try parser.parse(text: String(decoding: data, as: UTF8.self))
        }
        let new = try tree("new")
        let found = NewComments.indices(
            in: new, notIn: try tree("old"), by: edit.edited_by,
            savedAt: Int64(edit.saved_at.timeIntervalSince1970))
        #expect(Set(found.map { new.items[$0].id }) == Set(expected.new_comments.map(\.id)))
    }

    @Test(arguments: ThreadCorpus.folders("reply"))
    func placesEveryReply(folder: URL) throws {
        struct Case: Decodable {
            var page: String
            var indent: ReplyIndentation
        }
        struct Single: Decodable {
            var id: String
            var letters_before: Int?
            var chain: [String]?
        }
        let decoder = JSONDecoder()
        let item = try decoder.decode(Case.self, from: Data(contentsOf: folder.appending(path: "case.json")))
        let singles = try decoder.decode([Single].self, from: Data(contentsOf: folder.appending(path: "singles.json")))
        let page = folder.appending(path: item.page).standardizedFileURL
        let fixture = ThreadFixture(folder: page.deletingLastPathComponent(), page: page.lastPathComponent)
        let original = try HTMLDocument(page: String(PageText(try fixture.text()).body))
        let tree = try fixture.parser().parse(original)
        for single in singles {
            let index = try #require(tree.index(ofID: single.id))
            var document = original
            let line = document.makeText("Reply to \(single.id)")
            guard let letters = single.letters_before else {
                #expect(throws: TalkError.self) {
                    try ReplyPlacement.insert(
                        [[line]], under: index, of: tree, in: &document, indentation: item.indent)
                }
                continue
            }
            try ReplyPlacement.insert([[line]], under: index, of: tree, in: &document, indentation: item.indent)
            let place = ThreadCorpus.place(of: line, in: document)
            #expect(place.letters == letters, "\(single.id)")
            #expect(place.chain == single.chain, "\(single.id)")
        }
    }

    @Test func tellsSignedDrafts() throws {
        struct Case: Decodable {
            var about: String
            var user: String
            var html: String
            var signed: Bool
        }
        let folder = ThreadCorpus.root.appending(path: "signed")
        let parser = try ThreadFixture.parser(site: folder.appending(path: "site.json"))
        for item in try JSONDecoder().decode(
            [Case].self, from: Data(contentsOf: folder.appending(path: "cases.json")))
        {
            let draft = try HTMLDocument(parsing: item.html)
            #expect(parser.isSigned(draft, by: item.user) == item.signed, "\(item.about)")
        }
    }
}

enum ThreadCorpus {
    static let root: URL = {
        if let folder = ProcessInfo.processInfo.environment["GIT_TALK_SHARED"] {
            return URL(filePath: folder).appending(path: "corpus")
        }
        return URL(filePath: #filePath).deletingLastPathComponent()
            .appending(components: "..", "..", "..", "shared", "corpus").standardizedFileURL
    }()

    static let isThere = FileManager.default.fileExists(atPath: root.appending(path: "cases").path)

    static func folders(_ name: String) -> [URL] {
        let folder = root.appending(path: name)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
        return names.map { folder.appending(path: $0) }.filter {
            FileManager.default.fileExists(atPath: $0.appending(path: "case.json").path)
        }
    }

    /// Letters before the node, and the list elements in which it stands, the outermost first.
    static func place(of mark: HTMLDocument.NodeID, in document: HTMLDocument) -> (letters: Int, chain: [String]) {
        var letters = 0
        var node = document.firstChild(document.root)
        while let current = node, current != mark {
            let name = document.name(current)
            if document.kind(current) == .text {
                letters += document.text(current).unicodeScalars.count { !$0.properties.isWhitespace }
            }
            if !["script", "style", "title"].contains(name), let child = document.firstChild(current) {
                node = child
                continue
            }
            var up: HTMLDocument.NodeID? = current
            while let open = up, document.nextSibling(open) == nil { up = document.parent(open) }
            node = up.flatMap { document.nextSibling($0) }
        }
        var chain: [String] = []
        var parent = document.parent(mark)
        while let element = parent {
            if ["ul", "ol", "dl", "li", "dd", "dt"].contains(document.name(element)) {
                chain.insert(document.name(element), at: 0)
            }
            parent = document.parent(element)
        }
        return (letters, chain)
    }
}
