internal import TalkHTML

/// Tells of which user a link in a signature speaks.
struct UserLinks: Sendable {
    private let titles: LinkTitles
    /// Title of the page, which a link to itself leads to.
    private let page: LinkTitle?
    /// `/wiki/` and what follows the title in an address.
    private let pathPrefix: String
    private let pathSuffix: String
    /// The wiki's own name of Special:Contributions.
    private let contributions: String
    /// Links repeat on a page.
    private var known: [String: String?] = [:]

    init(titles: LinkTitles, wiki: Wiki, page: String) {
        self.titles = titles
        self.page = titles.parse(page)
        let parts = wiki.articlePath.split(separator: "$1", maxSplits: 1, omittingEmptySubsequences: false)
        pathPrefix = String(parts[0])
        pathSuffix = parts.count > 1 ? String(parts[1]) : ""
        contributions = wiki.contributionsNames.first?.replacing("_", with: " ") ?? "Contributions"
    }

    /// The user whose page, talk page or list of contributions the link leads to.
    mutating func user(of link: Int, in outline: PageOutline) -> String? {
        if outline.has(.selfLink, link) { return page.flatMap(user) }
        guard let address = outline.document.attribute("href", of: outline.entries[link].node) else { return nil }
        if let user = known[address] { return user }
        guard Self.mayNameUser(address) else { return nil }
        let user = title(address).flatMap { $0.utf8.contains(UInt8(ascii: ":")) ? titles.parse($0) : nil }.flatMap(user)
        known[address] = .some(user)
        return user
    }

    private func user(_ title: LinkTitle) -> String? {
        if title.isExternal { return nil }
        let slash = UInt8(ascii: "/")
        switch title.namespace {
        case LinkTitle.user, LinkTitle.userTalk: return title.text.utf8.contains(slash) ? nil : title.text
        case LinkTitle.special:
            let parts = title.text.utf8.split(separator: slash, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].elementsEqual(contributions.utf8) else { return nil }
            // Written by hand or by a bot, so not always as the wiki writes the name.
            return titles.userName(String(Substring(parts[1])))
        default: return nil
        }
    }

    /// The title that a link's address names, by the wiki's own ways of writing addresses, whatever the host.
    private func title(_ address: String) -> String? {
        let bytes = address.utf8
        let question = UInt8(ascii: "?")
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        if let mark = bytes[..<end].firstIndex(of: question),
            let value = Self.parameter("title", in: address[bytes.index(after: mark)..<end])
        {
            return value
        }
        var path = bytes[...]
        if bytes.starts(with: "./".utf8) {
            // The way of Parsoid.
            return PercentEncoding.decoded(Substring(path.dropFirst(2).prefix { $0 != question }))
        }
        let hasHost = bytes.starts(with: "//".utf8)
        if hasHost || bytes.first != UInt8(ascii: "/"), let host = bytes.firstRange(of: "//".utf8)?.upperBound,
            hasHost || bytes[..<host].dropLast(2).last == UInt8(ascii: ":")
        {
            let rest = bytes[..<end].prefix { $0 != question }
            guard host <= rest.endIndex, let slash = rest[host...].firstIndex(of: UInt8(ascii: "/")), slash > host
            else { return nil }
            path = rest[slash...]
        }
        guard path.starts(with: pathPrefix.utf8) else { return nil }
        path = path.dropFirst(pathPrefix.utf8.count).prefix { $0 != question }
        if !pathSuffix.isEmpty {
            guard let end = path.ranges(of: pathSuffix.utf8).last else { return nil }
            path = path[..<end.lowerBound]
        }
        return PercentEncoding.decoded(Substring(path))
    }

    /// Whether the address may hold a title with a namespace, by a look that costs little.
    private static func mayNameUser(_ address: String) -> Bool {
        var before: (UInt8, UInt8) = (0, 0)
        for byte in address.utf8 {
            if byte == UInt8(ascii: ":") || before == (UInt8(ascii: "%"), UInt8(ascii: "3")) && byte | 32 == 97 {
                return true
            }
            before = (before.1, byte)
        }
        return false
    }

    private static func parameter(_ name: String, in query: Substring) -> String? {
        var value: String?
        for part in query.utf8.split(separator: UInt8(ascii: "&")) where part.starts(with: name.utf8) {
            let rest = part.dropFirst(name.utf8.count)
            guard rest.first == UInt8(ascii: "=") || rest.isEmpty else { continue }
            // MediaWiki takes what stands before a further sign.
            let first = rest.dropFirst().prefix { $0 != UInt8(ascii: "=") }
            value = PercentEncoding.decoded(Substring(first), plusIsSpace: true)
        }
        return value
    }
}

/// `%41` for `A`.
enum PercentEncoding {
    /// The text with its escapes resolved; nil when that is no UTF-8, as in links of old encodings.
    static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let bytes = Array(text.utf8)
        if !bytes.contains(UInt8(ascii: "%")), !plusIsSpace { return String(text) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? 32 : byte)
                index += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        guard byte.isHexDigit else { return nil }
        return byte < 65 ? byte - 48 : (byte | 32) - 87
    }
}
