internal import Foundation

/// Where a draft will stand, which decides how its lines are written.
public enum DraftForm: Sendable {
    /// Indented below a comment.
    case reply
    /// Below a topic's heading, as paragraphs.
    case topicReply
    /// A topic of its own.
    case topic
}

/// A draft made ready for posting: its lines, signed, without indentation.
struct WikitextDraft: Sendable {
    /// The lines, the last one signed; a reply has no blank one among them.
    let lines: [String]

    /// Whether a table begins one of the lines, which a wiki sees only behind colons.
    var hasTable: Bool { lines.contains { $0.drop { $0 == ":" || $0 == " " }.hasPrefix("{|") } }

    init(_ text: String, as form: DraftForm, context: WikitextReply.Context) throws(TalkError) {
        let clean = Self.cleaned(text)
        guard !clean.isEmpty else {
            throw TalkError(.invalid, "The reply has no text", hint: "Write something before posting")
        }
        var lines =
            form == .reply
            ? Self.blocks(clean, context.tags)
            : clean.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let isSigned = WikitextSignature.isSigned(
            clean, user: context.user, wiki: context.wiki, dates: context.dates)
        if !isSigned, let last = lines.last {
            if let first = last.first, "*#:;".contains(first) {
                lines.append("~~~~")
            } else {
                lines[lines.count - 1] = last + " ~~~~"
            }
        }
        self.lines = lines
    }

    /// The lines that are not blank; what a tag, a template or a table holds stays in one, as the wiki reads it.
    private static func blocks(_ text: String, _ tags: Set<String>) -> [String] {
        let outline = WikitextOutline(text, tags: tags)
        let bytes = outline.bytes
        var whole = outline.scan.spans.map(\.range)
        whole += outline.blocks.compactMap { block in
            block.kind == .table ? block.close.map { block.open.lowerBound..<$0.upperBound } : nil
        }
        whole.sort { $0.lowerBound < $1.lowerBound }
        var blocks: [String] = []
        var start = 0
        var index = 0
        var next = whole[...]
        func add(_ end: Int) {
            if start < end { blocks.append(String(decoding: bytes[start..<end], as: UTF8.self)) }
        }
        while index < bytes.count {
            while let range = next.first, range.lowerBound <= index {
                index = max(index, range.upperBound)
                next.removeFirst()
            }
            guard index < bytes.count else { break }
            if bytes[index] == UInt8(ascii: "\n") {
                add(index)
                start = index + 1
            }
            index += 1
        }
        add(bytes.count)
        return blocks
    }

    /// NFC, LF line ends, no white space at the ends.
    static func cleaned(_ text: String) -> String {
        let lines = text.precomposedStringWithCanonicalMapping.unicodeScalars
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in lines {
            if scalar == "\r" {
                result.append("\n")
            } else if !(scalar == "\n" && previous == "\r") {
                result.append(scalar)
            }
            previous = scalar
        }
        let isBlank = { (scalar: Unicode.Scalar) in
            scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\u{0C}"
        }
        while let first = result.first, isBlank(first) { result.removeFirst() }
        while let last = result.last, isBlank(last) { result.removeLast() }
        return String(result)
    }
}
