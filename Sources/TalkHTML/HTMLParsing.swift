internal import CGumbo

/// Why a text was not read as HTML.
public enum HTMLError: Error, Hashable, Sendable {
    /// The nesting, or the number of open formatting elements, is beyond what is read.
    case tooDeep
    /// The text or its tree is larger than what is read; the limit in bytes.
    case tooLarge(limit: Int)
}

/// What is read at most; a page of a wiki stays far below, hostile markup does not.
public struct HTMLLimits: Hashable, Sendable {
    /// Bytes of text.
    public var textBytes = 16 << 20
    /// Bytes of the parser's tree.
    public var treeBytes = 256 << 20
    /// Elements inside each other; a reply takes two.
    public var depth = 10_000
    /// Formatting elements that stay open, identical ones counted three times at most.
    public var openFormatting = 256
    /// Attributes of one tag.
    public var attributes = 1024

    /// The limits for pages.
    public init() {}
}

extension HTMLDocument {
    /// Parses the text of a `<body>` as HTML5 does; the top nodes are the body's children.
    ///
    /// Throws `HTMLError` for a text beyond the limits; never fails on bad markup.
    public init(parsing html: String) throws(HTMLError) {
        try self.init(parsing: html, limits: HTMLLimits())
    }

    /// Parses the text of a `<body>` with limits of one's own.
    ///
    /// Throws `HTMLError` for a text beyond the limits; never fails on bad markup.
    public init(parsing html: String, limits: HTMLLimits) throws(HTMLError) {
        self.init()
        guard html.utf8.count <= limits.textBytes else { throw .tooLarge(limit: limits.textBytes) }
        var html = html
        if let error = html.withUTF8({ read($0, limits) }) { throw error }
    }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ limits: HTMLLimits) -> HTMLError? {
        if let error = HTMLComplexity.error(in: text, limits: limits) { return error }
        guard let arena = talk_arena_create(limits.treeBytes) else { return .tooLarge(limit: limits.treeBytes) }
        defer { talk_arena_destroy(arena) }
        if let tame = Self.withoutForeign(text) {
            return tame.withUnsafeBufferPointer { read(tame: $0, arena, limits) }
        }
        return read(tame: text, arena, limits)
    }

    private mutating func read(
        tame text: UnsafeBufferPointer<UInt8>, _ arena: UnsafeMutablePointer<talk_arena>, _ limits: HTMLLimits
    ) -> HTMLError? {
        // An empty buffer may have no address, which gumbo does not take.
        let output = text.withMemoryRebound(to: CChar.self) { text in
            text.count == 0 ? talk_arena_parse(arena, "", 0) : talk_arena_parse(arena, text.baseAddress, text.count)
        }
        guard let output else { return .tooLarge(limit: limits.treeBytes) }
        nodes.reserveCapacity(text.count / 20 + 16)
        return copy(childrenOf: output.pointee.root, limits)
    }

    /// The text with other names for `svg`, `math` and `template`, nil when it has none of them.
    ///
    /// gumbo ends the program (an assertion) at some HTML inside SVG or MathML and at some templates that are not
    /// closed. So what is inside is read as HTML too: what a wiki writes reads the same, as it closes all its tags.
    private static func withoutForeign(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let start = text.baseAddress else { return nil }
        var result: [UInt8]?
        var copied = 0
        var index = 0
        while index < text.count, let found = memchr(start + index, 0x3C, text.count - index) {
            index = UnsafeRawPointer(start).distance(to: UnsafeRawPointer(found)) + 1
            if index < text.count, text[index] == UInt8(ascii: "/") { index += 1 }
            guard index < text.count, Self.foreignInitials.contains(text[index] | 0x20) else { continue }
            let rest = UnsafeBufferPointer(rebasing: text[index...])
            let name = UnsafeBufferPointer(rebasing: rest.prefix(10).prefix { !HTMLTagName.endsName($0) })
            guard Self.foreignNames.contains(HTMLTagName(name)) else { continue }
            index += name.count
            result = result ?? []
            result?.append(contentsOf: text[copied..<index])
            result?.append(UInt8(ascii: "-"))
            copied = index
        }
        return result.map { $0 + text[copied...] }
    }

    private static let foreignInitials = Set("smt".utf8)
    private static let foreignNames: Set<HTMLTagName> = [.svg, .math, .template]

    /// Copies gumbo's tree, depth first and without recursion.
    private mutating func copy(childrenOf top: UnsafeMutablePointer<GumboNode>, _ limits: HTMLLimits) -> HTMLError? {
        var open: [(children: GumboVector, index: Int, element: Int32)] = [
            (top.pointee.v.element.children, 0, 0)
        ]
        var offset: UInt32 = 0
        while let last = open.last {
            guard last.index < Int(last.children.length) else {
                open.removeLast()
                continue
            }
            open[open.count - 1].index += 1
            guard let pointer = last.children.data[last.index] else { continue }
            let node = pointer.assumingMemoryBound(to: GumboNode.self)
            switch node.pointee.type {
            case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
                // Misnested tables leave neighbours behind, which no text can be read back into.
                let previous = Int(nodes[Int(last.element)].last)
                if previous >= 0, nodes[previous].kind == .text {
                    nodes[previous].value += Self.string(node.pointee.v.text.text)
                } else {
                    adopt(Node(kind: .text, value: Self.string(node.pointee.v.text.text)), into: last.element)
                }
            case GUMBO_NODE_COMMENT:
                adopt(Node(kind: .comment, value: Self.string(node.pointee.v.text.text)), into: last.element)
            case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
                if open.count > limits.depth { return .tooDeep }
                var element = Node(kind: .element, value: Self.name(of: node.pointee.v.element))
                element.tag = Self.tag(of: node.pointee.v.element, named: element.value)
                element.attributes = Self.attributes(of: node.pointee.v.element.attributes)
                let start = node.pointee.v.element.start_pos.offset
                if start < offset || isIrregular(node.pointee.v.element) {
                    isRepaired = true
                }
                offset = start
                adopt(element, into: last.element)
                open.append((node.pointee.v.element.children, 0, Int32(nodes.count - 1)))
            default: break
            }
        }
        return nil
    }

    /// Whether the element's HTML is not read as the element again; what was moved or copied stands out of the order of
    /// the text and is known by that.
    private func isIrregular(_ element: GumboElement) -> Bool {
        // They may have no end: text to the end of the page, or a comment in a script that is not closed.
        element.tag == GUMBO_TAG_PLAINTEXT || element.tag == GUMBO_TAG_SCRIPT
    }

    /// Appends a new node to the children of `parent`.
    private mutating func adopt(_ node: Node, into parent: Int32) {
        let index = Int32(nodes.count)
        var node = node
        node.parent = parent
        node.previous = nodes[Int(parent)].last
        if node.previous >= 0 {
            nodes[Int(node.previous)].next = index
        } else {
            nodes[Int(parent)].first = index
        }
        nodes[Int(parent)].last = index
        nodes.append(node)
    }

    private static func string(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        return UnsafeRawBufferPointer(start: text, count: strlen(text)).withMemoryRebound(to: UInt8.self) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The names that gumbo knows, by its tag number.
    package static let tagNames: [String] = (0..<GUMBO_TAG_UNKNOWN.rawValue).map {
        string(gumbo_normalized_tagname(GumboTag(rawValue: $0)))
    }

    static func tag(named name: String) -> UInt8 { tagsByName[name] ?? 255 }

    private static let tagsByName = Dictionary(
        tagNames.enumerated().map { ($1, UInt8($0)) }, uniquingKeysWith: { first, _ in first })

    private static func tag(of element: GumboElement, named name: String) -> UInt8 {
        element.tag == GUMBO_TAG_UNKNOWN ? tag(named: name) : UInt8(element.tag.rawValue)
    }

    private static func name(of element: GumboElement) -> String {
        let number = Int(element.tag.rawValue)
        if number < tagNames.count { return tagNames[number] }
        // The tag as it was written, `<` first.
        let tag = UnsafeRawBufferPointer(start: element.original_tag.data, count: element.original_tag.length)
        let bytes = tag.dropFirst().prefix { !HTMLTagName.endsName($0) }
        var name = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if ("A"..."Z").contains(scalar) {
                name.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
            } else {
                name.unicodeScalars.append(scalar == "\0" || scalar.isHTMLInvalid ? "\u{FFFD}" : scalar)
            }
        }
        return renamed[name] ?? name
    }

    private static let renamed = ["svg-": "svg", "math-": "math", "template-": "template"]

    private static func attributes(of vector: GumboVector) -> [Attribute] {
        let count = Int(vector.length)
        guard count > 0 else { return [] }
        return [Attribute](unsafeUninitializedCapacity: count) { buffer, initialized in
            for index in 0..<count {
                guard let pointer = vector.data[index] else { continue }
                let attribute = pointer.assumingMemoryBound(to: GumboAttribute.self).pointee
                // gumbo ends a name at a NUL in it, and could so give one name twice, or none.
                let name = attribute.original_name
                if UnsafeBufferPointer(start: name.data, count: Int(name.length)).contains(0) { continue }
                (buffer.baseAddress! + initialized).initialize(
                    to: Attribute(string(attribute.name), string(attribute.value)))
                initialized += 1
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether a parser replaces the character by U+FFFD when it stands in the text as it is.
    var isHTMLInvalid: Bool {
        switch value {
        case 0x1...0x8, 0xB, 0xE...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE
        }
    }
}
