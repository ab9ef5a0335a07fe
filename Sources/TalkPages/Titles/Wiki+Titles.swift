internal import Foundation

extension Wiki {
    /// The namespace of that number.
    public func namespace(id: Int) -> Namespace? { namespaces.first { $0.id == id } }

    /// The namespace that a page is in; nil when this wiki has none of that name.
    public func namespace(of page: PageName) -> Namespace? {
        page.namespace == "Main" ? namespace(id: 0) : namespaces.first { $0.id != 0 && $0.canonical == page.namespace }
    }

    /// The title as this wiki writes it, with its own name of the namespace and with spaces.
    public func localTitle(of page: PageName) -> String {
        guard page.namespace != "Main" else { return page.title }
        return "\(namespace(of: page)?.name ?? page.namespace):\(page.title)"
    }

    /// The page's address, as the wiki itself writes it; `fragment` is an anchor or a heading.
    public func url(of page: PageName, fragment: String? = nil) -> String {
        let key = localTitle(of: page).replacingScalar(" ", with: "_")
        let address = server + articlePath.replacing("$1", with: Self.escaped(key))
        guard let fragment, !fragment.isEmpty else { return address }
        return address + "#" + Self.anchor(fragment)
    }

    /// Whether people talk on that page: its namespace is odd.
    public func isTalkPage(_ page: PageName) -> Bool {
        namespace(of: page).map { $0.id > 0 && !$0.id.isMultiple(of: 2) } ?? false
    }

    /// The page where that page is talked about; itself when it is a talk page, nil when there is none.
    public func talkPage(of page: PageName) -> PageName? {
        guard let subject = namespace(of: page), subject.id >= 0 else { return nil }
        if !subject.id.isMultiple(of: 2) { return page }
        return namespace(id: subject.id + 1).map {
            PageName(wiki: page.wiki, namespace: $0.canonical, title: page.title)
        }
    }

    /// Percent-encodes but for the characters that MediaWiki leaves readable in addresses.
    static func escaped(_ key: String) -> String {
        let readable = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.;@$!*(),/~:".utf8)
        return escape(key) { readable.contains($0) }
    }

    /// A heading's id as a fragment: spaces become `_`, a percent sign is escaped, what no URL may hold too.
    static func anchor(_ fragment: String) -> String {
        let unsafe = Set("%\"<>\\^`{|}".utf8)
        let spaced = String(
            String.UnicodeScalarView(
                fragment.unicodeScalars.map { " \t\n\r\u{C}".unicodeScalars.contains($0) ? "_" : $0 }))
        return escape(spaced) { $0 > 0x20 && $0 != 0x7F && !unsafe.contains($0) }
    }

    private static func escape(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
