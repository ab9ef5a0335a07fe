internal import Foundation

/// A title that someone wrote, in the form that a store uses.
public struct ParsedTitle: Hashable, Sendable {
    /// The page.
    public var page: PageName
    /// What followed `#`, with spaces; nil when nothing did.
    public var fragment: String?

    /// Makes a title.
    public init(page: PageName, fragment: String?) {
        self.page = page
        self.fragment = fragment
    }
}

/// MediaWiki's rules for titles, so that a page can be named without asking the wiki.
///
/// The wiki has the last word: `PageCheck.title` is its own spelling.
public enum TitleParser {
    private static let byteLimit = 255

    /// Reads a title as MediaWiki would.
    ///
    /// Throws `invalid`, in words for the user, for a text that is no title, for a title of another wiki and for
    /// special pages.
    public static func parse(_ text: String, wiki: Wiki) throws(TalkError) -> ParsedTitle {
        let fail = { (why: String) in TalkError(.invalid, "“\(visible(text))” is not a page name: \(why)") }
        var rest = clean(text)
        guard !rest.contains("\u{FFFD}") else { throw fail("it contains something that is not a character") }
        if rest.first == ":" { rest = trim(rest.dropFirst()) }
        guard !rest.isEmpty else { throw fail("it is empty") }

        let (namespace, name) = try split(rest, text, wiki: wiki)
        var fragment: String?
        var title = name
        if let hash = name.firstIndex(of: "#") {
            fragment = spaced(name[name.index(after: hash)...])
            title = trimEnd(name[..<hash])
        }
        if let problem = problem(in: title) { throw fail(problem) }
        if !namespace.isCaseSensitive { title = FirstLetter.raised(title, language: wiki.language) }
        if namespace.id == 2 || namespace.id == 3 {
            title = InternetAddress.canonical(String(title)).map { $0.unicodeScalars[...] } ?? title
        }
        guard !title.isEmpty else { throw fail("it names no page") }
        guard title.first != ":" else { throw fail("it begins with a colon") }
        let page = PageName(
            wiki: wiki.key, namespace: namespace.id == 0 ? "Main" : namespace.canonical, title: spaced(title))
        return ParsedTitle(page: page, fragment: fragment.flatMap { $0.isEmpty ? nil : $0 })
    }

    private typealias Scalars = Substring.UnicodeScalarView

    /// Character references, NFC, invisible marks of direction, runs of white space.
    private static func clean(_ text: String) -> Scalars {
        // Line ends come with what was copied; MediaWiki would refuse them.
        let decoded = CharacterReferences.decode(text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n")))
        var cleaned = String.UnicodeScalarView()
        for scalar in decoded.precomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.value {
            case 0x200E, 0x200F, 0x202A...0x202E:
                continue
            case 0x20, 0x5F, 0xA0, 0x1680, 0x180E, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
                if cleaned.last != "_" { cleaned.append("_") }
            default:
                cleaned.append(scalar)
            }
        }
        return trim(cleaned[...])
    }

    private static func trim(_ text: Scalars) -> Scalars { trimEnd(text.drop { $0 == "_" }) }

    private static func trimEnd(_ text: Scalars) -> Scalars {
        var text = text
        while text.last == "_" { text.removeLast() }
        return text
    }

    private static func spaced(_ text: Scalars) -> String { String(text).replacingScalar("_", with: " ") }

    /// Takes namespaces and prefixes of other wikis off the front.
    private static func split(
        _ text: Scalars, _ typed: String, wiki: Wiki
    ) throws(TalkError) -> (namespace: Namespace, title: Scalars) {
        var rest = text
        // Each round takes at least two characters away.
        while let (prefix, tail) = prefix(of: rest) {
            if let namespace = wiki.namespace(named: prefix) {
                guard namespace.id >= 0 else {
                    throw TalkError(
                        .invalid, "“\(visible(typed))” is made up by the wiki and cannot be talked on",
                        hint: "name the talk page itself")
                }
                if namespace.id == 1, let (inner, _) = Self.prefix(of: tail),
                    (wiki.namespace(named: inner)?.id ?? 0) != 0 || wiki.hasInterwikiPrefix(inner)
                {
                    throw TalkError(
                        .invalid,
                        "“\(visible(typed))” is not a page name: “\(spaced(prefix))” and “\(spaced(inner))” "
                            + "cannot stand together", hint: suggestion(inner, tail, wiki: wiki))
                }
                return (namespace, tail)
            }
            guard wiki.hasInterwikiPrefix(prefix) else { break }
            guard wiki.isLocalPrefix(prefix) else {
                throw TalkError(
                    .invalid,
                    "“\(visible(typed))” belongs to another wiki: “\(spaced(prefix)):” leads away from "
                        + wiki.siteName, hint: "give the page's whole address (https://…)")
            }
            guard !tail.isEmpty else { break }
            rest = tail.first == ":" ? trim(tail.dropFirst()) : tail
        }
        return (wiki.namespace(id: 0) ?? Namespace(id: 0, name: "", canonical: ""), rest)
    }

    /// What stands before the first colon that has something before it, and what follows it.
    private static func prefix(of text: Scalars) -> (Scalars, Scalars)? {
        guard let colon = text.dropFirst().firstIndex(of: ":") else { return nil }
        let prefix = trimEnd(text[..<colon])
        guard !prefix.isEmpty else { return nil }
        return (prefix, text[text.index(after: colon)...].drop { $0 == "_" })
    }

    /// `Talk:File:X` was meant to be `File talk:X`.
    private static func suggestion(_ inner: Scalars, _ tail: Scalars, wiki: Wiki) -> String? {
        guard let subject = wiki.namespace(named: inner), let talk = wiki.namespace(id: subject.id | 1),
            let (_, title) = prefix(of: tail)
        else { return nil }
        return "did you mean “\(talk.name):\(visible(spaced(title)))”?"
    }

    private static func problem(in title: Scalars) -> String? {
        for scalar in title where isForbidden(scalar) {
            let shown = scalar.value < 32 || scalar.value == 127 ? "a control character" : "“\(scalar)”"
            return "it contains \(shown)"
        }
        // Scalars and not characters, as MediaWiki: a combining mark may follow anything.
        if hasPercentCode(title) { return "it contains a percent sign before two hexadecimal digits" }
        if hasReference(title) { return "it contains an HTML character reference" }
        let steps = title.split(separator: "/", omittingEmptySubsequences: false)
        if steps.contains(where: { (1...2).contains($0.count) && $0.allSatisfy { $0 == "." } }) {
            return "it contains “.” or “..” as a step"
        }
        if hasThreeTildes(title) { return "it contains “~~~”" }
        if String(title).utf8.count > byteLimit { return "it is longer than \(byteLimit) bytes" }
        return nil
    }

    private static func hasPercentCode(_ title: Scalars) -> Bool {
        title.split(separator: "%", omittingEmptySubsequences: false).dropFirst().contains { rest in
            rest.count >= 2 && rest.prefix(2).allSatisfy { $0.properties.isASCIIHexDigit }
        }
    }

    private static func hasThreeTildes(_ title: Scalars) -> Bool {
        var run = 0
        for scalar in title {
            run = scalar == "~" ? run + 1 : 0
            if run == 3 { return true }
        }
        return false
    }

    /// `&name;`; a number after `&#` cannot be left, since `#` begins the fragment.
    private static func hasReference(_ title: Scalars) -> Bool {
        title.split(separator: "&", omittingEmptySubsequences: false).dropFirst().contains { rest in
            let name = rest.prefix { !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
            return !name.isEmpty && name.endIndex < rest.endIndex && rest[name.endIndex] == ";"
        }
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "#", "<", ">", "[", "]", "|", "{", "}", "\u{7F}", "\u{0}"..."\u{1F}": true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    /// The user's text for a message: no control character, not endless.
    private static func visible(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(300).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension Wiki {
    /// The namespace of that local, alias or canonical name; case and `_` for a space do not matter.
    fileprivate func namespace(named name: Substring.UnicodeScalarView) -> Namespace? {
        let wanted = Self.folded(String(name))
        let found = namespaces.first { namespace in
            namespace.id != 0
                && ([namespace.name, namespace.canonical] + namespace.aliases).contains { Self.folded($0) == wanted }
        }
        return wanted.isEmpty ? nil : found
    }

    private static func folded(_ name: String) -> String { name.replacingScalar("_", with: " ").lowercased() }

    fileprivate func hasInterwikiPrefix(_ prefix: Substring.UnicodeScalarView) -> Bool {
        isLocalPrefix(prefix) || interwikiPrefixes.contains(Self.folded(String(prefix)))
    }

    fileprivate func isLocalPrefix(_ prefix: Substring.UnicodeScalarView) -> Bool {
        localInterwikiPrefixes?.contains(Self.folded(String(prefix))) ?? false
    }
}

/// The first letter of a title, in a namespace where its case does not matter.
enum FirstLetter {
    /// The text with its first letter in upper case, as MediaWiki's languages do it.
    ///
    /// A letter whose upper case is more than one letter stays (ß), and so do Georgian letters: so it is on Wikimedia's
    /// wikis. Others may differ, according to their version of PHP.
    static func raised(_ text: Substring.UnicodeScalarView, language: String) -> Substring.UnicodeScalarView {
        guard let first = text.first else { return text }
        var raised = String.UnicodeScalarView()
        if first == "i", ["tr", "az", "kaa", "kk-latn", "kk-tr"].contains(language.lowercased()) {
            raised.append("\u{130}")
        } else {
            let upper = first.properties.uppercaseMapping.unicodeScalars
            let stays = upper.count != 1 || (0x10D0...0x10FF).contains(first.value)
            raised.append(contentsOf: stays ? String(first).unicodeScalars : String(upper).unicodeScalars)
        }
        raised.append(contentsOf: text.dropFirst())
        return raised[...]
    }
}

extension String {
    /// Replaces a scalar wherever it stands, also before a combining mark.
    func replacingScalar(_ old: Unicode.Scalar, with new: Unicode.Scalar) -> String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0 == old ? new : $0 }))
    }
}
