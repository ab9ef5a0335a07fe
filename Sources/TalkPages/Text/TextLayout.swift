/// What an element means for a page that is read as plain text.
enum TextLayout {
    /// A run of lines of its own.
    case block
    case heading(Int)
    case lineBreak
    case rule
    case bulletList
    case numberedList
    case definitionList
    case listItem
    case definition
    case quotation
    case preformatted
    case row
    case cell
    /// An image with an alternative text.
    case image
    case formula
    /// Marks on both sides of the text: code, or what is struck out.
    case marked(String)
    case hidden
    case inline

    static func of(_ name: String) -> TextLayout { table[name] ?? .inline }

    private static let table: [String: TextLayout] = {
        var table: [String: TextLayout] = [:]
        let blocks = """
            address article aside body caption center details dialog dt fieldset figcaption figure footer form header \
            hgroup legend main nav p section summary table tbody tfoot thead div
            """
        for name in blocks.split(separator: " ") { table[String(name)] = .block }
        for level in 1...6 { table["h\(level)"] = .heading(level) }
        for name in ["code", "tt", "kbd", "samp"] { table[name] = .marked("`") }
        for name in ["s", "strike", "del"] { table[name] = .marked("~~") }
        for name in ["script", "style", "template", "noembed", "noframes", "textarea", "title", "head"] {
            table[name] = .hidden
        }
        let others: [(String, TextLayout)] = [
            ("br", .lineBreak), ("hr", .rule), ("ul", .bulletList), ("ol", .numberedList), ("dl", .definitionList),
            ("li", .listItem), ("dd", .definition), ("blockquote", .quotation), ("pre", .preformatted), ("tr", .row),
            ("td", .cell), ("th", .cell), ("img", .image), ("math", .formula),
        ]
        for (name, layout) in others { table[name] = layout }
        return table
    }()
}
