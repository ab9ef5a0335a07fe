internal import TalkHTML

/// What the canonical form does about an element, by its name.
struct ElementRoles: OptionSet, Sendable {
    let rawValue: UInt16

    /// Starts a line of its own, and white space before it never shows.
    static let block = Self(rawValue: 1)
    /// A `div` or the like, which a page may well show inline: only where white space or a block stood already.
    static let box = Self(rawValue: 2)
    /// Its end tag starts a line too.
    static let endsOnOwnLine = Self(rawValue: 4)
    static let heading = Self(rawValue: 8)
    /// Keeps its white space.
    static let preserves = Self(rawValue: 16)
    /// Never stored.
    static let dropped = Self(rawValue: 32)
    /// Only its content is stored.
    static let unwrapped = Self(rawValue: 64)
    /// Read as raw text, so its content is not kept.
    static let emptied = Self(rawValue: 128)
    /// Children do not change when a wrapper between it and them goes.
    static let plainContainer = Self(rawValue: 256)
    /// Shuts what is inside off from what is outside.
    static let cell = Self(rawValue: 2048)
    /// SVG and MathML.
    static let foreign = Self(rawValue: 512)
    /// Ends another of its kind.
    static let choice = Self(rawValue: 1024)

    static func of(_ node: HTMLDocument.NodeID, in document: HTMLDocument) -> ElementRoles {
        let tag = Int(document.tag(node))
        if tag < byTag.count { return byTag[tag] }
        return document.kind(node) == .element ? table[document.name(node)] ?? [] : []
    }

    private static let byTag: [ElementRoles] = HTMLDocument.tagNames.map { table[$0] ?? [] }

    private static let table: [String: ElementRoles] = {
        var table: [String: ElementRoles] = [:]
        for (names, roles) in words {
            for name in names.split(separator: " ") { table[String(name), default: []].formUnion(roles) }
        }
        return table
    }()

    private static let words: [(String, ElementRoles)] = [
        (
            """
            p dl dd dt ul ol li h1 h2 h3 h4 h5 h6 table caption colgroup thead tbody tfoot tr td th blockquote pre hr \
            center figure figcaption details summary fieldset
            """, .block
        ),
        ("div section article aside header footer nav main form address", .box),
        (
            """
            p dl dd ul ol li table colgroup thead tbody tfoot tr td th blockquote center details figure fieldset
            """, .endsOnOwnLine
        ),
        ("h1 h2 h3 h4 h5 h6", .heading),
        ("pre textarea", .preserves),
        ("script meta base title template mw:editsection mw:toc mw:tocplace", .dropped),
        ("form noscript", .unwrapped),
        ("style iframe noembed noframes", .emptied),
        ("div section blockquote center", .plainContainer), ("td th caption", .cell),
        ("svg math", .foreign),
        ("option optgroup rb rp rt rtc", .choice),
    ]
}
