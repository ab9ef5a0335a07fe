import Foundation
import TalkHTML
import TalkPages
import TalkTestSupport
import Testing

/// What holds for every page, tried on the fixtures and, where it lies beside the checkout, on the corpus.
@Suite struct CanonicalPropertyTests {
    static let fixtures = ["renders", "pages", "versions"].flatMap { folder in
        CanonicalFixtures.names(in: folder).map { CanonicalFixtures.directory.appending(path: "\(folder)/\($0)") }
    }
    static let corpus: [URL] = {
        guard let cases = CanonicalFixtures.shared?.appending(path: "corpus/cases") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cases.path)) ?? []
        return names.sorted().map { cases.appending(path: "\($0)/page.html") }
    }()

    static let recordings: [URL] = {
        guard let folder = CanonicalFixtures.shared?.appending(path: "recordings/exchanges") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.contains("-parse-") || $0.contains("-render-") }.sorted()
            .map { folder.appending(path: $0) }
    }()

    @Test(arguments: fixtures) func holdsForFixture(page: URL) throws { try check(page) }

    @Test(.enabled(if: !corpus.isEmpty, "no corpus beside the checkout"), arguments: corpus)
    func holdsForCorpus(page: URL) throws { try check(page) }

    @Test(.enabled(if: !recordings.isEmpty, "no recordings beside the checkout"), arguments: recordings)
    func holdsForRecording(exchange: URL) throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: exchange)) as? [String: Any]
        let parse = (json?["body"] as? [String: Any])?["parse"] as? [String: Any]
        if let html = parse?["text"] as? String { try check(html) }
    }

    /// Also for what no wiki writes; a page is refused at worst.
    @Test func holdsForAnyMarkup() throws {
        let seed: UInt64 = 0xCA17
        var soup = TagSoup(seed: seed)
        for round in 0..<400 {
            let html = soup.next()
            let content = try CanonicalPage.content(of: html, wiki: nil)
            let again = try CanonicalPage.content(of: content.joinedText, wiki: nil)
            #expect(again.filesByName == content.filesByName, "seed \(seed), round \(round): \(html)")
        }
    }

    private func check(_ page: URL) throws { try check(String(contentsOf: page, encoding: .utf8)) }

    private func check(_ html: String) throws {
        let content = try CanonicalPage.content(of: html, wiki: CanonicalFixtures.wiki)
        let joined = try CanonicalPage.document(of: content)
        // Another store takes it, also one that does not know the wiki.
        #expect(CanonicalPage.isCanonical(content))
        #expect(
            CanonicalPage.areNames(
                content.sections.map { PageTreeJSON.Entry(file: $0.file, heading: $0.heading, level: $0.level) }))

        expectSame(
            try CanonicalPage.content(of: content.joinedText, wiki: CanonicalFixtures.wiki), content, "files read again"
        )
        let tree = joined.document.innerHTML(joined.document.root)
        expectSame(try CanonicalPage.content(of: tree, wiki: CanonicalFixtures.wiki), content, "joined tree read again")
        expectSame(try CanonicalPage.content(of: joined.document, wiki: CanonicalFixtures.wiki), content, "joined tree")

        for html in [content.lede] + content.sections.map(\.html) where !html.isEmpty {
            #expect(html.hasSuffix("\n") && !html.hasSuffix("\n\n") && html.first?.isWhitespace == false)
        }
        #expect(try PageTreeJSON.read(PageTreeJSON.write(content.sections)).map(\.file) == content.sections.map(\.file))
        #expect(letters(joined.document) == letters(try HTMLDocument(parsing: html)))
    }

    private func expectSame(_ a: PageContent, _ b: PageContent, _ what: Comment) {
        let a = a.filesByName
        let b = b.filesByName
        let changed = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.sorted()
        #expect(changed == [], what)
        if let file = changed.first, let old = b[file], let new = a[file] {
            let start = max(0, zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count))
            print(file, String(decoding: old[max(0, start - 100)..<min(old.count, start + 100)], as: UTF8.self))
            print("----", String(decoding: new[max(0, start - 100)..<min(new.count, start + 100)], as: UTF8.self))
        }
    }

    /// The text without white space and without what is never shown or is no part of the page.
    private func letters(_ document: HTMLDocument) -> String {
        var out = ""
        var next = document.firstChild(document.root)
        while let node = next {
            next = document.next(after: node, in: document.root)
            switch document.kind(node) {
            case .text:
                let kept = document.text(node).utf8.filter { !(9...13).contains($0) && $0 != 32 }
                out += String(decoding: kept, as: UTF8.self)
            case .element:
                let isLeftOut =
                    ["style", "script", "title"].contains(document.name(node))
                    || document.hasClass("ext-discussiontools-init-replylink-buttons", node)
                    || document.hasClass("ext-discussiontools-init-section-bar", node)
                    || document.hasClass("mw-editsection", node)
                    || document.attribute("id", of: node) == "toc"
                    || document.name(node) == "mw:editsection"
                if isLeftOut { next = document.next(afterAllOf: node, in: document.root) }
            default: break
            }
        }
        return out
    }
}
