internal import TalkPages

/// The frame of every page of the reader.
enum Template {
    static let style = """
        body { font: 1em/1.5 system-ui, sans-serif; max-width: 50em; margin: 1em auto; padding: 0 1em }
        .fresh { border: 1px solid; padding: .3em .6em }
        .news { border: 2px solid #c60; padding: .3em .6em }
        article { margin-block: .8em; padding-inline-start: .8em; border-inline-start: 2px solid #8888 }
        article.pending { border-inline-start-color: #c60; background: #ffa2 }
        article p { margin: .2em 0; white-space: pre-line; overflow-wrap: anywhere }
        footer { margin-top: 2em; font-size: .9em }
        """

    static func html(_ title: String, _ body: String, isRightToLeft: Bool) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>\(escape(title))</title><link rel="stylesheet" href="/style.css"></head>
        <body><nav><a href="/">All pages</a></nav>
        <main\(isRightToLeft ? " dir=\"rtl\"" : "")><h1 dir="auto">\(escape(title))</h1>
        \(body)
        </main></body></html>

        """
    }

    /// Text as HTML text or attribute value; direction marks of a page end with their element.
    static func escape(_ text: String) -> String {
        var out = ""
        for scalar in TerminalText.safe(text).unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// A value in an address.
    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            let hex = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
        }.joined()
    }
}
