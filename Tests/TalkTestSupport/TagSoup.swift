/// Random markup from a seed: well formed and broken tags, references, comments, text.
public struct TagSoup {
    private var state: UInt64

    /// The same texts for the same seed.
    public init(seed: UInt64) { state = seed }

    /// The next text.
    public mutating func next() -> String {
        (0...below(30)).map { _ in piece() }.joined()
    }

    private mutating func piece() -> String {
        switch below(10) {
        case 0...4: "<\(pick(Self.tags))\(attributes())\(below(9) == 0 ? "/" : "")>"
        case 5, 6: "</\(pick(Self.tags))>"
        case 7: pick(["text", " ", "\n", "x\n\n", "é", "\u{A0}", "\0", "\u{1}", "\r\n", "12:00", "[[", "\u{202E}"])
        case 8: pick(["&amp;", "&lt", "&#0;", "&#x80;", "&#xFDD0;", "&#13;", "&nbsp;", "&notit;", "&#xD800;", "&"])
        default: pick(["<!--c-->", "<!--", "-->", "<![CDATA[x]]>", "<?x?>", "<!doctype html>", "</ x>", "<", "<!-->"])
        }
    }

    private mutating func attributes() -> String {
        (0..<[0, 0, 1, 2][below(4)]).map { _ in " \(pick(Self.attributes))=\(pick(Self.values))" }.joined()
    }

    private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

    private mutating func below(_ bound: Int) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    private static let tags = """
        a b i u font nobr big code em s small p div span ul ol li dl dt dd table caption colgroup col tbody tr td th h1 \
        h2 h3 pre listing textarea blockquote hr br img input button select option optgroup svg math foreignObject mi \
        style script iframe noembed noscript xmp template frameset html head body ruby rt section article center \
        object details summary figure link meta x-y mw:dt-x plaintext
        """.split(separator: " ").map(String.init)
    private static let attributes = [
        "class", "id", "style", "href", "title", "typeof", "data-mw-continued", "data-mw-section-id", "color", "x\"y",
        "onclick", "src",
    ]
    private static let values = [
        "\"\"", "'a'", "b", "mw-empty-elt", "mw-heading", "\"white-space:pre\"", "\"display:inline\"", "mw:Entity",
        "mw-headline", "toc", "\"<>&'\"", "javascript:x", "\"javascript:alert(1)\"",
    ]
}
