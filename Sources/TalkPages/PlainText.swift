internal import TalkHTML

/// Turns stored HTML into text for a terminal.
public enum PlainText {
    /// The text of a piece of HTML: lines, list marks, quotes, tables; see `HTMLText`.
    ///
    /// Not safe for a terminal yet: `TerminalText.safe` is what prints it. Throws `unreachable` when the HTML is beyond
    /// the limits of `HTMLDocument`.
    public static func text(of html: String, showsAddresses: Bool = false) throws(TalkError) -> String {
        let document = try CanonicalPage.parse(html)
        var options = HTMLText.Options()
        options.showsAddresses = showsAddresses
        return HTMLText.plainText(of: document.root, in: document, options: options)
    }
}
