import TalkPages

/// A draft and the wikitext that it is posted into, with a record separator between them: section splitter, placement.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let parts = input.split(separator: "\u{1E}", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (draft, text) = parts.count == 2 ? (parts[0], parts[1]) : ("A reply.", input)

    let sections = WikitextSections(text).sections
    Example.require(sections.first?.range.lowerBound == 0, "the first section does not begin the page")
    Example.require(sections.last?.ownRange.upperBound == text.utf8.count, "the last section does not end the page")
    for (section, next) in zip(sections, sections.dropFirst()) {
        Example.require(section.ownRange.upperBound == next.ownRange.lowerBound, "sections leave a gap")
    }

    let dates = SignatureTimestamp(formats: Example.wiki.signatureFormats, zone: .utc)
    let context = WikitextReply.Context(wiki: Example.wiki, user: "Alice", dates: dates)
    _ = try? WikitextReply.prepared(draft, as: .reply, context: context)
    let comment = WikitextReply.Comment(author: "Bob", timestamp: 1_709_287_200)
    for target in [.heading, .comment(comment, last: comment)] as [WikitextReply.Target] {
        guard case .placed(let result)? = try? WikitextReply.insert(draft, under: target, in: text, context: context)
        else { continue }
        Example.require(isSubsequence(text, of: result), "a reply takes away what was there")
    }
    return 0
}

/// Whether all letters of a text stand in another one in this order; blanks may differ.
private func isSubsequence(_ text: String, of other: String) -> Bool {
    var rest = other.utf8.makeIterator()
    return text.utf8.allSatisfy { byte in
        if byte <= 0x20 { return true }
        while let next = rest.next() { if next == byte { return true } }
        return false
    }
}
