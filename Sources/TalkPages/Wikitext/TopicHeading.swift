internal import Foundation

/// The heading of a new topic as a user gives it.
public enum TopicHeading {
    /// The longest heading that DiscussionTools takes, in code points.
    public static let limit = 500

    /// The heading as it is kept: NFC, on one line, without blanks at its ends.
    ///
    /// Markup in it stays, for the wiki shows it as such. Throws `invalid` for one that is empty or too long, that would
    /// be signed, or that the wiki would not take for a heading.
    public static func checked(_ heading: String, context: WikitextReply.Context) throws(TalkError) -> String {
        let clean = heading.precomposedStringWithCanonicalMapping.split(whereSeparator: \.isNewline)
            .joined(separator: " ").trimmingCharacters(in: .whitespaces)
        guard clean.contains(where: { !$0.isWhitespace }) else {
            throw TalkError(.invalid, "the topic has no heading", hint: "give it one with -s")
        }
        let length = clean.unicodeScalars.count
        guard length <= limit else {
            throw TalkError(
                .invalid, "the heading has \(length) characters, and the wiki takes \(limit)", hint: "make it shorter")
        }
        guard !clean.contains("~~~") else {
            throw TalkError(
                .invalid, "the tildes in the heading would become a signature", hint: "sign the text, not the heading")
        }
        if case .refused(let reason) = try NewTopicText.appending(title: clean, text: "x", to: "", context: context) {
            throw TalkError(
                .invalid, reason.prefix(1).lowercased() + reason.dropFirst(),
                hint: "look for braces, tags and comments in it that are not closed")
        }
        return clean
    }

    /// Takes the heading off a text that begins with one, `== Heading ==`; nil when it does not.
    ///
    /// Blank lines before and after it go with it.
    public static func leading(_ text: String) -> (heading: String, text: String)? {
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
        let line = lines[first].trimmingCharacters(in: .whitespaces)
        guard line.hasPrefix("=="), line.hasSuffix("=="), line.count >= 4, !line.hasPrefix("===") else { return nil }
        let rest = lines[(first + 1)...].drop { $0.allSatisfy(\.isWhitespace) }
        return (
            line.dropFirst(2).dropLast(2).trimmingCharacters(in: .whitespaces), rest.joined(separator: "\n")
        )
    }
}
