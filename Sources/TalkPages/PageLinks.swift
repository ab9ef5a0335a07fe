internal import TalkHTML

/// Brings links to pages of the wiki into one form, whether the page they lead to exists or not.
struct PageLinks {
    /// What stands before and after a title in the address of a page.
    private let article: (prefix: String, suffix: String)
    /// `https://host/` and `//host/` of the wiki; empty when it is not known.
    private let servers: [String]
    /// The path of the page itself; nil where its title is not known.
    let ownAddress: String?

    init(wiki: Wiki?, title: String?) {
        let path = wiki?.articlePath ?? "/wiki/$1"
        let place = path.firstRange(of: "$1")
        ownAddress = title.map { path.replacing("$1", with: Wiki.escaped($0.replacingScalar(" ", with: "_"))) }
        article = place.map { (String(path[..<$0.lowerBound]), String(path[$0.upperBound...])) } ?? (path, "")
        if let server = wiki?.server, let host = server.split(separator: "/").last {
            servers = ["https://\(host)/", "http://\(host)/", "//\(host)/"]
        } else {
            servers = []
        }
    }

    /// The `href` to store: that of the page itself for a link to its creation.
    func canonical(_ href: String) -> String { href.containsBytes("redlink=1") ? redLink(href) ?? href : href }

    /// Whether a `title` beside the `href` only repeats which page it leads to.
    func isTitleRedundant(_ title: String, href: String) -> Bool {
        if href.containsBytes("redlink=1") { return true }
        if href.startsWithBytes("./") || href.startsWithBytes("/") && !href.startsWithBytes("//") { return true }
        if servers.contains(where: { href.utf8.starts(with: $0.utf8) }) { return true }
        // Another wiki, or this one under an address that is not known to be its own.
        let path = href.utf8.prefix { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") }
        var name = title.utf8.reversed().makeIterator()
        var decoded = Self.decode(path).reversed().makeIterator()
        while let byte = name.next() {
            guard let other = decoded.next() else { return false }
            guard byte == other || byte == UInt8(ascii: " ") && other == UInt8(ascii: "_") else { return false }
        }
        return decoded.next() == UInt8(ascii: "/")
    }

    /// The address of the page that a link to its creation names; nil for any other link.
    private func redLink(_ href: String) -> String? {
        guard let question = href.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let path = href[..<question]
        let query = href.utf8[href.utf8.index(after: question)...].prefix { $0 != UInt8(ascii: "#") }
        var title: Substring.UTF8View?
        var isRed = false
        for parameter in query.split(separator: UInt8(ascii: "&")) {
            if parameter.starts(with: "title=".utf8) { title = parameter.dropFirst("title=".utf8.count) }
            if parameter.elementsEqual("redlink=1".utf8) { isRed = true }
        }
        guard isRed else { return nil }
        guard let title else { return String(path) }
        // A plus is a space in a query, and a plus in a path.
        let name = Substring(title).replacing("+", with: "_")
        return "\(origin(of: path))\(article.prefix)\(name)\(article.suffix)"
    }

    /// `https://host` or `//host` before a path, empty for a path alone.
    private func origin(of path: Substring) -> Substring {
        guard let slashes = path.firstRange(of: "//") else { return "" }
        return path[..<(path[slashes.upperBound...].firstIndex(of: "/") ?? path.endIndex)]
    }

    private static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var bytes = Array(text)[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "%"), bytes.count >= 2, let high = digit(bytes[bytes.startIndex]),
                let low = digit(bytes[bytes.startIndex + 1])
            {
                out.append(high << 4 | low)
                bytes = bytes.dropFirst(2)
            } else {
                out.append(byte)
            }
        }
        return out
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
