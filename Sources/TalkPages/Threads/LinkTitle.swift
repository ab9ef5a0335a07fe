internal import Foundation

/// A page title as MediaWiki takes it apart: namespace and text.
struct LinkTitle: Hashable, Sendable {
    static let special = -1
    static let user = 2
    static let userTalk = 3
    static let template = 10

    var namespace: Int
    /// Without namespace, first letter as the wiki has it, with spaces.
    var text: String
    /// Whether an interwiki prefix leads elsewhere.
    var isExternal = false
}

/// Reads titles by the rules of one wiki.
struct LinkTitles: Sendable {
    private let namespaces: [String: Int]
    private let caseSensitive: Set<Int>
    private let interwikiPrefixes: Set<String>
    private let localInterwikiPrefixes: Set<String>
    private let language: String

    init(_ wiki: Wiki) {
        var namespaces: [String: Int] = [:]
        // Canonical names win over local ones, and those over aliases, as in MediaWiki.
        for namespace in wiki.namespaces {
            for alias in namespace.aliases { namespaces[Self.key(alias)] = namespace.id }
        }
        for namespace in wiki.namespaces where namespace.id != 0 { namespaces[Self.key(namespace.name)] = namespace.id }
        for namespace in wiki.namespaces where namespace.id != 0 && !namespace.canonical.isEmpty {
            namespaces[Self.key(namespace.canonical)] = namespace.id
        }
        self.namespaces = namespaces
        caseSensitive = Set(wiki.namespaces.filter(\.isCaseSensitive).map(\.id)).subtracting([
            LinkTitle.special, LinkTitle.user, LinkTitle.userTalk,
        ])
        interwikiPrefixes = Set(wiki.interwikiPrefixes)
        localInterwikiPrefixes = Set(wiki.localInterwikiPrefixes ?? [])
        language = wiki.language
    }

    private static func key(_ name: String) -> String { normalized(name).lowercased() }

    /// Reads a title with its namespace, such as a link's target; nil when MediaWiki takes it for none.
    func parse(_ title: String) -> LinkTitle? {
        var title = title
        if title.utf8.contains(UInt8(ascii: "&")) {
            let decoded = CharacterReferences.decode(title)
            // Compared by code units; MediaWiki composes letters only where it resolved references.
            if !decoded.utf8.elementsEqual(title.utf8) { title = decoded.precomposedStringWithCanonicalMapping }
        }
        if title.unicodeScalars.contains("\u{FFFD}") { return nil }
        var rest = Self.normalized(title)[...]
        // By code units throughout: a name may begin with a mark that combines with the colon.
        let colon = UInt8(ascii: ":")
        if rest.utf8.first == colon { rest = Self.trimmed(rest[rest.utf8.index(after: rest.startIndex)...]) }
        while let end = rest.utf8.firstIndex(of: colon), end > rest.startIndex {
            let prefix = Self.trimmed(rest[..<end]).lowercased()
            let tail = Self.trimmed(rest[rest.utf8.index(after: end)...])
            if let namespace = namespaces[prefix] { return self.title(tail, namespace: namespace) }
            // A prefix that leads back to this wiki stands for nothing, and another one may follow.
            if !localInterwikiPrefixes.contains(prefix) {
                guard interwikiPrefixes.contains(prefix) else { break }
                return self.title(tail, namespace: 0, isExternal: true)
            }
            rest = tail
        }
        return self.title(rest, namespace: 0)
    }

    /// The name of the user whose page has that text as its title, whatever prefix the text seems to have.
    func userName(_ text: String) -> String? {
        self.title(Self.normalized(text)[...], namespace: LinkTitle.user)?.text
    }

    /// The title without its namespace, checked and in the form that the wiki has.
    private func title(_ rest: Substring, namespace: Int, isExternal: Bool = false) -> LinkTitle? {
        var rest = rest
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) { rest = Self.trimmed(rest[..<hash]) }
        var text = String(rest)
        guard text.utf8.count <= (namespace == LinkTitle.special ? 512 : 255), Self.isLegal(text) else { return nil }
        if namespace == LinkTitle.user || namespace == LinkTitle.userTalk {
            text = InternetAddress.canonical(text) ?? text
        }
        if text.utf8.first == UInt8(ascii: ":") { return nil }
        if text.isEmpty, !isExternal, namespace != 0 { return nil }
        if !isExternal, !caseSensitive.contains(namespace) {
            text = String(FirstLetter.raised(text.unicodeScalars[...], language: language))
        }
        return LinkTitle(namespace: namespace, text: text, isExternal: isExternal)
    }

    /// Spaces for underscores and other blanks, one at a time, none at the ends, without direction marks.
    private static func normalized(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isBlank = false
        for scalar in title.unicodeScalars {
            switch scalar.value {
            case 0x20, 0x5F, 0xA0, 0x1680, 0x180E, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
                isBlank = true
            case 0x200E, 0x200F, 0x202A...0x202E: break
            default:
                if isBlank, !scalars.isEmpty { scalars.append(" ") }
                isBlank = false
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        guard let start = text.utf8.firstIndex(where: { $0 != 32 }) else { return "" }
        let end = text.utf8.lastIndex { $0 != 32 } ?? start
        return text[start...end]
    }

    /// Whether the text has no character or part that titles must not have.
    private static func isLegal(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 1 || text == "." || text == "..",
            parts.dropFirst().dropLast().contains(where: { $0 == "." || $0 == ".." })
                || [parts[0], parts[parts.count - 1]].contains(where: { $0 == "." || $0 == ".." })
        {
            return false
        }
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0..<32, 127: return false
            case UInt8(ascii: "~"):
                // Three tildes are a signature.
                if bytes[(index + 1)...].prefix(2).elementsEqual("~~".utf8) { return false }
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
                UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "#"):
                return false
            case UInt8(ascii: "%"):
                if bytes[(index + 1)...].prefix(2).filter({ $0.isHexDigit }).count == 2 { return false }
            case UInt8(ascii: "&"):
                // A character reference that was not resolved.
                let name = bytes[(index + 1)...].prefix { $0.isLetterOrDigit || $0 >= 128 || $0 == UInt8(ascii: "#") }
                if !name.isEmpty, name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";") {
                    return false
                }
            default: break
            }
        }
        return true
    }
}

extension UInt8 {
    var isHexDigit: Bool { self >= 48 && self <= 57 || (self | 32) >= 97 && (self | 32) <= 102 }
    var isLetterOrDigit: Bool { self >= 48 && self <= 57 || (self | 32) >= 97 && (self | 32) <= 122 }
}
