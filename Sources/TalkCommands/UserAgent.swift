internal import TalkSync

/// How this program names itself to a wiki: program, a way to reach who runs it, library.
///
/// Wikimedia refuses programs that do not say whose they are. Nothing is invented: without `talk.contact` it is the user
/// page of the account that is logged in, and without that it is said that there is none.
enum UserAgent {
    static func text(contact: String?) -> String {
        let product = Help.version.replacing(" ", with: "/")
        return "\(product) (\(safe(contact ?? "") ?? "no contact given")) \(NetworkSettings.library)"
    }

    /// What may stand in the comment of a header; nil when nothing is left.
    private static func safe(_ contact: String) -> String? {
        let bytes = contact.utf8.filter { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")") }
        let text = String(decoding: bytes, as: UTF8.self).split(separator: " ").joined(separator: " ")
        return text.isEmpty ? nil : text
    }
}
