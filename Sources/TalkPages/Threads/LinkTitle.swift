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
    }

    private static func key(_ name: String) -> String { normalized(name).lowercased() }

    /// Reads a title with its namespace, such as a link's target; nil when MediaWiki takes it for none.
    func parse(_ title: String, defaultNamespace: Int = 0) -> LinkTitle? {
        if title.unicodeScalars.contains("\u{FFFD}") { return nil }
        var rest = Self.normalized(title)[...]
        var namespace = defaultNamespace
        var isExternal = false
        // By code units throughout: a name may begin with a mark that combines with the colon.
        let colon = UInt8(ascii: ":")
        if rest.utf8.first == colon {
            namespace = 0
            rest = Self.trimmed(rest[rest.utf8.index(after: rest.startIndex)...])
        }
        if let end = rest.utf8.firstIndex(of: colon), end > rest.startIndex {
            let prefix = Self.trimmed(rest[..<end]).lowercased()
            let found = namespaces[prefix]
            isExternal = found == nil && interwikiPrefixes.contains(prefix)
            if found != nil || isExternal {
                namespace = found ?? 0
                rest = Self.trimmed(rest[rest.utf8.index(after: end)...])
            }
        }
        if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) { rest = Self.trimmed(rest[..<hash]) }
        var text = String(rest)
        guard text.utf8.count <= (namespace == LinkTitle.special ? 512 : 255), Self.isLegal(text) else { return nil }
        if namespace == LinkTitle.user || namespace == LinkTitle.userTalk { text = Self.canonicalAddress(text) ?? text }
        if text.utf8.first == colon { return nil }
        if text.isEmpty, !isExternal, namespace != 0 { return nil }
        if !isExternal, !caseSensitive.contains(namespace) { text = Self.capitalized(text) }
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

    /// The first letter in upper case, when that is one letter too.
    private static func capitalized(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        let upper = first.properties.uppercaseMapping.unicodeScalars
        // Georgian has capitals since Unicode 11, and wikis do not use them.
        if upper.count != 1 || (0x10D0...0x10FF).contains(first.value) { return text }
        var scalars = String.UnicodeScalarView(upper)
        scalars.append(contentsOf: text.unicodeScalars.dropFirst())
        return String(scalars)
    }
}

// MARK: Addresses

extension LinkTitles {
    /// An IP address in the one way in which MediaWiki writes it, or nil when the text is none.
    static func canonicalAddress(_ text: String) -> String? {
        if text.contains(":") { return canonicalVersion6(text) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var numbers: [String] = []
        for part in parts {
            guard (1...3).contains(part.count), part.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = Int(part),
                number < 256
            else { return nil }
            numbers.append(String(number))
        }
        return numbers.joined(separator: ".")
    }

    /// Eight groups, upper case, no leading zeros.
    private static func canonicalVersion6(_ text: String) -> String? {
        var range = ""
        var address = text[...]
        if let slash = text.firstIndex(of: "/") {
            guard let bits = Int(text[text.index(after: slash)...]), (0...128).contains(bits) else { return nil }
            range = "/\(bits)"
            address = text[..<slash]
        }
        var halves: [[Substring]] = []
        var rest = address
        if let gap = address.firstRange(of: "::") {
            halves.append(address[..<gap.lowerBound].split(separator: ":", omittingEmptySubsequences: false))
            rest = address[gap.upperBound...]
            if gap.lowerBound == address.startIndex { halves[0] = [] }
        }
        halves.append(rest.isEmpty ? [] : rest.split(separator: ":", omittingEmptySubsequences: false))
        var groups: [String] = []
        for (index, half) in halves.enumerated() {
            for group in half {
                guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy(\.isHexDigit),
                    let number = Int(group, radix: 16)
                else { return nil }
                groups.append(String(number, radix: 16).uppercased())
            }
            if index == 0, halves.count == 2 {
                let count = half.count + halves[1].count
                guard count < 8 else { return nil }
                groups.append(contentsOf: repeatElement("0", count: 8 - count))
            }
        }
        return groups.count == 8 ? groups.joined(separator: ":") + range : nil
    }
}

extension UInt8 {
    var isHexDigit: Bool { self >= 48 && self <= 57 || (self | 32) >= 97 && (self | 32) <= 102 }
    var isLetterOrDigit: Bool { self >= 48 && self <= 57 || (self | 32) >= 97 && (self | 32) <= 122 }
}
