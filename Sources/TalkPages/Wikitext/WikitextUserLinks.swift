internal import Foundation

/// Finds the users that links in a wikitext name.
///
/// A user is named by `[[User:…]]`, `[[User talk:…]]` or `[[Special:Contributions/…]]` in the wiki's own names, its
/// aliases or English, by the same title behind an interwiki prefix or in a URL, and by `{{User:…/…}}`, a signature
/// kept on a page of the user.
struct WikitextUserLinks: Sendable {
    /// A link to a user.
    struct Link: Hashable, Sendable {
        /// The user's name as MediaWiki writes it.
        var user: String
        /// UTF-8 offsets of the whole link.
        var range: Range<Int>
    }

    private let userNames: Set<String>
    private let specialNames: Set<String>
    private let contributions: Set<String>
    private let interwiki: Set<String>
    private let articlePath: String

    init(_ wiki: Wiki) {
        func names(_ ids: [Int], _ english: [String]) -> Set<String> {
            let spaces = wiki.namespaces.filter { ids.contains($0.id) }
            return Set((spaces.flatMap { [$0.name, $0.canonical] + $0.aliases } + english).map(Self.key))
        }
        userNames = names([2, 3], ["User", "User talk"])
        specialNames = names([-1], ["Special"])
        contributions = Set((wiki.contributionsNames + ["Contributions"]).map(Self.key))
        interwiki = Set(wiki.interwikiPrefixes.map { $0.lowercased() })
        articlePath = wiki.articlePath.replacingOccurrences(of: "$1", with: "")
    }

    /// The links in `bytes[range]`, in order.
    func links(in bytes: [UInt8], _ range: Range<Int>) -> [Link] {
        var found: [Link] = []
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            let pair = (bytes[index], bytes[index + 1])
            let double =
                pair == (UInt8(ascii: "["), UInt8(ascii: "[")) || pair == (UInt8(ascii: "{"), UInt8(ascii: "{"))
            if double {
                let closing = pair.0 &+ 2
                var end = index + 2
                while end < range.upperBound, bytes[end] != closing, bytes[end] != UInt8(ascii: "|"),
                    bytes[end] != pair.0, bytes[end] != UInt8(ascii: "\n")
                { end += 1 }
                guard end < range.upperBound, bytes[end] == closing || bytes[end] == UInt8(ascii: "|") else {
                    index += 1
                    continue
                }
                let target = String(decoding: bytes[index + 2..<end], as: UTF8.self)
                let isTemplate = pair.0 == UInt8(ascii: "{")
                if let user = isTemplate ? templateOwner(target) : user(title: target) {
                    found.append(Link(user: user, range: index..<past(closing, from: end, in: bytes, range)))
                }
                index = end
            } else if pair.0 == UInt8(ascii: "["), let link = externalLink(bytes, index..<range.upperBound) {
                found.append(link)
                index = link.range.upperBound
            } else {
                index += 1
            }
        }
        return found
    }

    /// The user whom a title names, if it names one.
    func user(title: String) -> String? {
        guard let (space, rest) = split(title) else { return nil }
        if userNames.contains(space) {
            return rest.contains("/") ? nil : Self.normalized(rest)
        }
        guard specialNames.contains(space), let slash = rest.firstIndex(of: "/"),
            contributions.contains(Self.key(String(rest[..<slash])))
        else { return nil }
        return Self.normalized(String(rest[rest.index(after: slash)...]))
    }

    private func templateOwner(_ title: String) -> String? {
        guard let (space, rest) = split(title), userNames.contains(space), let slash = rest.firstIndex(of: "/") else {
            return nil
        }
        return Self.normalized(String(rest[..<slash]))
    }

    /// Namespace key and the rest of a title, without interwiki prefixes and fragment.
    private func split(_ title: String) -> (space: String, rest: String)? {
        var rest = Self.decoded(title)
        if let hash = rest.firstIndex(of: "#") { rest = String(rest[..<hash]) }
        for _ in 0..<4 {
            rest = rest.trimming { $0.isWhitespace || $0 == "_" }
            guard let colon = rest.firstIndex(of: ":") else { return nil }
            let space = Self.key(String(rest[..<colon]))
            let after = String(rest[rest.index(after: colon)...])
            if userNames.contains(space) || specialNames.contains(space) {
                return (space, after.trimming { $0.isWhitespace || $0 == "_" })
            }
            guard space.isEmpty || interwiki.contains(space) else { return nil }
            rest = after
        }
        return nil
    }

    private func externalLink(_ bytes: [UInt8], _ range: Range<Int>) -> Link? {
        let inner = bytes[(range.lowerBound + 1)..<min(range.upperBound, range.lowerBound + 2_000)]
        guard let close = inner.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let text = String(decoding: inner[..<close], as: UTF8.self)
        let url = text.prefix { !$0.isWhitespace }
        guard url.contains("//"), !articlePath.isEmpty, let path = url.range(of: articlePath),
            let user = user(title: String(url[path.upperBound...].prefix { $0 != "?" }))
        else { return nil }
        return Link(user: user, range: range.lowerBound..<close + 1)
    }

    private func past(_ closing: UInt8, from start: Int, in bytes: [UInt8], _ range: Range<Int>) -> Int {
        var index = start
        while index + 1 < range.upperBound {
            if bytes[index] == closing, bytes[index + 1] == closing { return index + 2 }
            index += 1
        }
        return range.upperBound
    }

    private static func key(_ name: String) -> String {
        name.replacingOccurrences(of: "_", with: " ").lowercased().trimming { $0.isWhitespace }
    }

    private static func decoded(_ title: String) -> String {
        var text = title.removingPercentEncoding ?? title
        guard text.contains("&") || text.unicodeScalars.contains(where: isInvisible) else { return text }
        for (entity, value) in [("&amp;", "&"), ("&quot;", "\""), ("&#39;", "'"), ("&#039;", "'"), ("&nbsp;", " ")] {
            text = text.replacingOccurrences(of: entity, with: value)
        }
        text.unicodeScalars.removeAll(where: isInvisible)
        return text
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200E || scalar.value == 0x200F || (0x202A...0x202E).contains(scalar.value)
    }

    /// A user name as MediaWiki writes it: NFC, single spaces, first letter upper-case, IPv6 upper-case.
    static func normalized(_ name: String) -> String {
        let words = decoded(name).split { $0.isWhitespace || $0 == "_" }
        let text = words.joined(separator: " ").precomposedStringWithCanonicalMapping
        if text.contains(":") { return text.uppercased() }
        guard let first = text.first else { return text }
        let upper = first.uppercased()
        return (upper.count == 1 ? upper : String(first)) + text.dropFirst()
    }
}
