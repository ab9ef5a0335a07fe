/// What the discussion algorithm must know of a kind of element.
struct ElementTraits: OptionSet {
    let rawValue: UInt32

    /// Ends a paragraph: comments and signatures do not reach across it.
    static let block = ElementTraits(rawValue: 1 << 0)
    /// Has no element children, and so counts as content of its own.
    static let leaf = ElementTraits(rawValue: 1 << 1)
    /// Text taken out of it must not run into the text beside it.
    static let separatesWords = ElementTraits(rawValue: 1 << 2)
    /// Its text is not shown.
    static let hidden = ElementTraits(rawValue: 1 << 3)
    /// Stands between comments, never in one.
    static let separator = ElementTraits(rawValue: 1 << 4)
    /// Shows nothing.
    static let transparent = ElementTraits(rawValue: 1 << 5)
    /// No comment or heading is looked for inside.
    static let noTalk = ElementTraits(rawValue: 1 << 6)
    /// A text of white space only.
    static let blank = ElementTraits(rawValue: 1 << 7)
    /// A link to the page itself.
    static let selfLink = ElementTraits(rawValue: 1 << 8)
    /// First node of what a template made.
    static let transclusion = ElementTraits(rawValue: 1 << 9)
    /// A character reference as Parsoid marks it.
    static let entity = ElementTraits(rawValue: 1 << 10)
    /// Holds the anchor of a heading in the markup of MediaWiki up to 1.42.
    static let headline = ElementTraits(rawValue: 1 << 11)
    /// Added to the page by its renderer, no part of its text.
    static let foreign = ElementTraits(rawValue: 1 << 12)
    /// Stands for its children.
    static let unwrapped = ElementTraits(rawValue: 1 << 13)
    /// Wraps the whole page.
    static let pageWrapper = ElementTraits(rawValue: 1 << 14)
    /// A reply that is not on the wiki yet.
    static let pending = ElementTraits(rawValue: 1 << 16)
    /// An `ol` of references.
    static let references = ElementTraits(rawValue: 1 << 15)
}

/// The elements that the algorithm tells apart.
enum ElementKind: UInt8 {
    case other, root, text, comment
    case a, span, figure, link, meta, style, br, div, p, pre, section
    case dl, dt, dd, ul, ol, li
    case h1, h2, h3, h4, h5, h6

    /// 1 to 6 for a heading.
    var headingLevel: Int? { rawValue >= Self.h1.rawValue ? Int(rawValue - Self.h1.rawValue) + 1 : nil }
    var isList: Bool { self == .dl || self == .ul || self == .ol }
    /// Whether it makes its content one step deeper; `dt` does not.
    var indents: Bool { self == .li || self == .dd }
}

extension ElementKind {
    /// Kind and traits of every element name that has any.
    static let table: [String: (kind: ElementKind, traits: ElementTraits)] = {
        var table: [String: (kind: ElementKind, traits: ElementTraits)] = [:]
        func add(_ names: String, _ traits: ElementTraits) {
            for name in names.split(separator: " ") {
                table[String(name), default: (.other, [])].traits.insert(traits)
            }
        }
        add("div p table tbody thead tfoot caption th tr td ul ol li dl dt dd h1 h2 h3 h4 h5 h6 hgroup", .block)
        add("article aside body nav section footer header figure figcaption fieldset details blockquote", .block)
        add("hr button canvas center col colgroup embed map object pre progress video", .block)
        add("area base br col embed hr img input link meta param source track wbr", .leaf)
        add("script style textarea title math svg noscript audio canvas iframe object video figure", .leaf)
        add("br hr", .separator)
        add("meta", .transparent)
        add("script style", .hidden)
        add("blockquote cite q", .noTalk)
        add("mw:editsection", .foreign)
        // MediaWiki's own list for turning HTML into plain text.
        add("address article aside blockquote br canvas dd div dl dt fieldset figcaption figure", .separatesWords)
        add("footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main nav noscript ol output p pre", .separatesWords)
        add("section table td tfoot th tr ul video", .separatesWords)
        let kinds: [(String, ElementKind)] = [
            ("a", .a), ("span", .span), ("figure", .figure), ("link", .link), ("meta", .meta), ("style", .style),
            ("br", .br), ("div", .div), ("p", .p), ("pre", .pre), ("section", .section), ("dl", .dl), ("dt", .dt),
            ("dd", .dd), ("ul", .ul), ("ol", .ol), ("li", .li), ("h1", .h1), ("h2", .h2), ("h3", .h3), ("h4", .h4),
            ("h5", .h5), ("h6", .h6),
        ]
        for (name, kind) in kinds { table[name, default: (kind, [])].kind = kind }
        return table
    }()

    /// What the classes of an element say of it.
    static func traits(ofClass value: String) -> ElementTraits {
        var traits: ElementTraits = []
        for name in value.split(whereSeparator: \.isWhitespace) {
            switch name {
            case "mw-notalk": traits.formUnion([.separator, .noTalk])
            case "outdent-template", "mw-trackedTemplate": traits.insert(.separator)
            case "mw-selflink": traits.insert(.selfLink)
            case "mw-headline": traits.insert(.headline)
            case "mw-parser-output": traits.insert(.pageWrapper)
            case "references": traits.insert(.references)
            case "mw-editsection": traits.insert(.foreign)
            case "ext-discussiontools-init-timestamplink": traits.insert(.unwrapped)
            // Of a heading and its wrapper, which are the page's own.
            case "ext-discussiontools-init-section": break
            default:
                // All else that DiscussionTools puts in: reply buttons, counters, bars; `dt-` up to 1.36.
                if name.hasPrefix("ext-discussiontools-init-") || name.hasPrefix("dt-init-") { traits.insert(.foreign) }
            }
        }
        return traits
    }
}
