internal import Foundation
internal import TalkHTML

/// Tells which comments come from another page, from the marks that Parsoid leaves.
///
/// A comment in which a template was used is of this page; one that a template or another page made as a whole is not,
/// and a reply to it belongs there. The two ranges seldom match exactly, so this asks how they overlap.
struct Transclusions {
    private let outline: PageOutline
    private let titles: LinkTitles?
    /// The first node of the innermost template call that made a node, or -1; empty when there is none on the page.
    private var owners: [Int32] = []
    private var calls: [Int: (last: Int, sources: [String?])] = [:]

    init(_ outline: PageOutline, titles: LinkTitles? = nil) {
        self.outline = outline
        self.titles = titles
        guard outline.hasTransclusions else { return }
        owners = [Int32](repeating: -1, count: outline.count)
        var heads: [Int: Int] = [:]
        for index in 1..<outline.count {
            owners[index] = owners[outline.parent(index)]
            guard let about = outline.abouts[index], Self.isCall(about) else { continue }
            var head = index
            if let previous = outline.previous(index), outline.abouts[previous] == about {
                head = heads[previous] ?? index
            }
            heads[index] = head
            if outline.has(.transclusion, head) { owners[index] = Int32(head) }
        }
    }

    private static func isCall(_ about: String) -> Bool {
        about.utf8.starts(with: "#mwt".utf8) && about.utf8.count > 4
            && about.utf8.dropFirst(4).allSatisfy { $0 >= 48 && $0 <= 57 }
    }

    /// The first node of the call that made the node.
    func call(of index: Int) -> Int? { owners.isEmpty || owners[index] < 0 ? nil : Int(owners[index]) }

    /// The last sibling that the call made.
    func last(ofCall head: Int) -> Int {
        var last = head
        while let next = outline.next(last), outline.isElement(next), outline.abouts[next] == outline.abouts[head] {
            last = next
        }
        return last
    }

    /// Where the comment comes from; nil when it is the page's own.
    mutating func source(ofComment item: ScannedItem) -> ThreadItem.Transclusion? {
        owners.isEmpty ? nil : source(of: outline.range(first: item.start, last: item.end))
    }

    /// Where a heading comes from.
    mutating func source(ofHeadline headline: Int) -> ThreadItem.Transclusion? {
        guard !owners.isEmpty, let first = outline.first(headline), let last = outline.last(headline) else {
            return nil
        }
        var range = outline.range(siblings: first, last)
        range.end = outline.position(atEndOf: headline)
        return source(of: range)
    }

    private mutating func source(of range: OutlineRange) -> ThreadItem.Transclusion? {
        let candidates = [call(of: range.first), call(of: range.last)]
        for (number, candidate) in candidates.enumerated() {
            guard let candidate, number == 0 || candidate != candidates[0] else { continue }
            let call = describe(candidate)
            let only = call.sources.count == 1 ? call.sources[0].flatMap { titles?.parse($0) } : nil
            switch outline.overlap(range, outline.range(siblings: candidate, call.last)) {
            case .contains, .apart: continue
            case .partial: return .unknown
            case .contained: return page(only, call.sources)
            case .equal:
                if let only {
                    // One comment alone on a subpage, or a template around a comment: the namespace tells.
                    if only.namespace != LinkTitle.template || only.isExternal { return page(only, call.sources) }
                } else if call.sources.count > 1 {
                    // Several templates and text in a row, by accident.
                    let pages = call.sources.compactMap { $0.flatMap { titles?.parse($0) } }
                    if pages.contains(where: { $0.namespace != LinkTitle.template }) { return .unknown }
                } else {
                    return .unknown
                }
            }
        }
        return nil
    }

    private func page(_ title: LinkTitle?, _ sources: [String?]) -> ThreadItem.Transclusion {
        guard let title, title.namespace >= 0, !title.isExternal, !title.text.isEmpty, let source = sources[0] else {
            return .unknown
        }
        return .page(source.replacing("_", with: " "))
    }

    /// The last node of a call, and the pages that it names, nil for a part that is none.
    private mutating func describe(_ head: Int) -> (last: Int, sources: [String?]) {
        if let known = calls[head] { return known }
        let last = last(ofCall: head)
        let data = outline.document.attribute("data-mw", of: outline.entries[head].node) ?? ""
        let value = (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any]
        let sources = (value?["parts"] as? [Any] ?? []).map { part -> String? in
            let target = ((part as? [String: Any])?["template"] as? [String: Any])?["target"] as? [String: Any]
            // A parser function has no address.
            guard let address = target?["href"] as? String, address.hasPrefix("./") else { return nil }
            return PercentEncoding.decoded(address.dropFirst(2))
        }
        calls[head] = (last, sources)
        return (last, sources)
    }
}
