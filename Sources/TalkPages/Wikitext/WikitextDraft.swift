internal import Foundation

/// A draft made ready for posting: its lines, signed, without indentation.
struct WikitextDraft: Sendable {
    /// The lines, the last one signed; a reply has no blank one among them.
    let lines: [String]

    init(_ text: String, as kind: PendingReply.Kind, context: WikitextReply.Context) throws(TalkError) {
        let clean = Self.cleaned(text)
        guard !clean.isEmpty else {
            throw TalkError(.invalid, "The reply has no text", hint: "Write something before posting")
        }
        var lines = clean.split(separator: "\n", omittingEmptySubsequences: kind == .reply).map(String.init)
        let isSigned = WikitextSignature.isSigned(
            clean, user: context.user, wiki: context.wiki, dates: context.dates, tags: context.tags)
        if !isSigned, let last = lines.last {
            if let first = last.first, "*#:;".contains(first) {
                lines.append("~~~~")
            } else {
                lines[lines.count - 1] = last + " ~~~~"
            }
        }
        self.lines = lines
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
