/// What a browser gets to see.
enum Rules {
    /// Elements that are written, with the attributes that they may have beside those of `everywhere`.
    static let elements: [String: Set<String>] = {
        var table: [String: Set<String>] = [:]
        for (names, attributes) in words {
            for name in names.split(separator: " ") {
                table[String(name), default: []].formUnion(attributes.split(separator: " ").map(String.init))
            }
        }
        return table
    }()

    private static let words: [(String, String)] = [
        (
            """
            abbr b bdi big br caption center cite code dd del dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i \
            ins kbd li mark ol p pre q rb rp rt rtc ruby s samp small span strike strong sub sup table tbody td tfoot \
            th thead time tr tt u ul var wbr blockquote bdo col colgroup font details summary a img section article \
            aside header footer
            """, ""
        ),
        ("a", "href"), ("img", "src alt width height"), ("ol", "start type reversed"), ("li", "value"),
        ("td th", "colspan rowspan scope align valign bgcolor width height"), ("table", "align bgcolor border width"),
        ("table", "cellpadding cellspacing"), ("tr tbody thead tfoot", "align valign bgcolor"),
        ("col colgroup", "span width align"), ("font", "color size face"), ("time del ins", "datetime"),
        ("p div h1 h2 h3 h4 h5 h6 caption hr", "align"), ("br", "clear"),
    ]

    static let everywhere: Set<String> = ["class", "dir", "id", "lang", "style", "title"]
    static let void: Set<String> = ["br", "col", "hr", "img", "wbr"]

    /// Elements that go with their content, which is no text of the page or is read in another way by a browser.
    static let dropped: Set<String> = [
        "applet", "area", "audio", "base", "canvas", "datalist", "embed", "frame", "frameset", "head", "iframe",
        "input", "keygen", "link", "map", "math", "meta", "noembed", "noframes", "noscript", "object", "param",
        "plaintext", "script", "select", "source", "style", "svg", "template", "textarea", "title", "track", "video",
        "xmp",
    ]

    /// Elements that only stand in these; others outside would end what is open in the page around.
    static let parents: [String: Set<String>] = [
        "li": ["ul", "ol"], "dd": ["dl"], "dt": ["dl"], "caption": ["table"], "colgroup": ["table"],
        "col": ["colgroup"], "tbody": ["table"], "thead": ["table"], "tfoot": ["table"],
        "tr": ["tbody", "thead", "tfoot"], "td": ["tr"], "th": ["tr"],
    ]

    static let classes: Set<String> = [
        "autonumber", "external", "extiw", "floatleft", "floatright", "free", "hlist", "image", "plainlinks",
        "reference", "references", "text", "thumb", "tleft", "tright", "wikitable",
    ]
}

/// The part of a `style` that cannot fetch, run or cover anything.
enum StyleRules {
    private static let properties: Set<String> = [
        "background", "background-color", "border", "border-bottom", "border-collapse", "border-color", "border-left",
        "border-radius", "border-right", "border-spacing", "border-style", "border-top", "border-width", "clear",
        "color", "direction", "display", "float", "font", "font-family", "font-size", "font-style", "font-variant",
        "font-weight", "height", "letter-spacing", "line-height", "list-style-type", "margin", "margin-bottom",
        "margin-left", "margin-right", "margin-top", "max-height", "max-width", "min-height", "min-width", "overflow",
        "padding", "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align", "text-decoration",
        "text-shadow", "text-transform", "vertical-align", "white-space", "width", "word-break", "word-wrap",
    ]
    private static let functions: Set<String> = ["rgb", "rgba", "hsl", "hsla"]

    /// The declarations that are kept; nil when none is.
    static func safe(_ style: String) -> String? {
        // An escape or a comment could make anything look harmless, so there is none.
        guard !style.contains("\\"), !style.contains("/*"), style.utf8.count <= 4096 else { return nil }
        var kept: [String] = []
        for declaration in style.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let property = trim(parts[0]).lowercased()
            let value = trim(parts[1])
            guard properties.contains(property), isSafe(value) else { continue }
            // Would move text over what stands around it.
            if property.hasPrefix("margin") || property.hasSuffix("spacing"), value.contains("-") { continue }
            kept.append("\(property):\(value)")
        }
        return kept.isEmpty ? nil : kept.joined(separator: ";")
    }

    private static func trim(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    private static func isSafe(_ value: String) -> Bool {
        var word = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "(":
                guard functions.contains(word.lowercased()) else { return false }
                word = ""
            case "a"..."z", "A"..."Z", "0"..."9", "-": word.unicodeScalars.append(scalar)
            case " ", ",", ".", "#", "%", ")", "!", "'", "\"", "+", "/": word = ""
            default: return false
            }
        }
        return true
    }
}
