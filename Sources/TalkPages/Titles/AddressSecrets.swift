/// Names and passwords in addresses (`https://name:password@host/`).
public enum AddressSecrets {
    /// The text without them: a user may give one by mistake, and a message must not repeat it.
    public static func hidden(in text: String) -> String {
        guard text.contains("@") else { return text }
        var shown = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "//") {
            shown += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let authority = rest.prefix { !$0.isWhitespace && !"/?#\"'”“".contains($0) }
            guard let at = authority.lastIndex(of: "@") else { continue }
            shown += "…"
            rest = rest[at...]
        }
        return shown + rest
    }
}
