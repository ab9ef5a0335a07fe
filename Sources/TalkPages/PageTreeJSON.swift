/// Reads and writes `page.json`, the list of a page's sections.
///
/// One form only, byte for byte, so that equal pages are equal blobs: one section a line, keys in this order, no
/// white space, `"`, `\` and control characters escaped, all else as UTF-8.
public enum PageTreeJSON {
    /// The path below the page's directory.
    public static let file = "page.json"

    /// One section as the list names it.
    public struct Entry: Hashable, Sendable {
        /// Path below the page's directory.
        public var file: String
        /// The heading's text.
        public var heading: String
        /// 1 to 6.
        public var level: Int

        /// Makes an entry.
        public init(file: String, heading: String, level: Int) {
            self.file = file
            self.heading = heading
            self.level = level
        }
    }

    /// The text of `page.json` for the sections.
    public static func write(_ sections: [PageSection]) -> String {
        write(sections.map { Entry(file: $0.file, heading: $0.heading, level: $0.level) })
    }

    /// The text of `page.json` for the entries.
    public static func write(_ entries: [Entry]) -> String {
        guard !entries.isEmpty else { return start + end }
        let lines = entries.map {
            "{\"file\":\(quote($0.file)),\"heading\":\(quote($0.heading)),\"level\":\($0.level)}"
        }
        return start + "\n" + lines.joined(separator: ",\n") + "\n" + end
    }

    /// The entries of a `page.json`.
    ///
    /// Throws `damaged` for anything but what `write` gives: other spacing, names that are no section's, a name twice.
    public static func read(_ text: String) throws(TalkError) -> [Entry] {
        var entries: [Entry] = []
        var files: Set<String> = []
        var rest = Substring(text)
        if take(start + end, from: &rest), rest.isEmpty { return [] }
        rest = Substring(text)
        guard take(start + "\n", from: &rest) else { throw damaged("it does not begin with \(start)") }
        repeat {
            guard take("{\"file\":", from: &rest), let file = string(&rest), take(",\"heading\":", from: &rest),
                let heading = string(&rest), take(",\"level\":", from: &rest),
                let level = rest.unicodeScalars.popFirst().flatMap({ Int(String($0)) }), take("}", from: &rest)
            else { throw damaged("section \(entries.count + 1) is not written as it must be") }
            guard (1...6).contains(level) else { throw damaged("section \(entries.count + 1) has level \(level)") }
            guard SectionSlugs.isValidFile(file), files.insert(file).inserted else {
                throw damaged("section \(entries.count + 1) has no valid file name")
            }
            entries.append(Entry(file: file, heading: heading, level: level))
        } while take(",\n", from: &rest)
        guard take("\n" + end, from: &rest), rest.isEmpty else { throw damaged("it does not end with \(end)") }
        // Escapes that `write` does not use.
        guard write(entries).utf8.elementsEqual(text.utf8) else { throw damaged("it is not in its one form") }
        return entries
    }

    private static let start = "{\"format\":1,\"sections\":["
    private static let end = "]}\n"

    private static func damaged(_ reason: String) -> TalkError {
        TalkError(
            .damaged, "\(file) of the page cannot be read: \(reason)",
            hint: "see what is damaged, and repair it: git talk doctor")
    }

    private static func quote(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\0"..."\u{1F}", "\u{7F}":
                let hexadecimal = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Removes the bytes from the front, when they stand there.
    private static func take(_ prefix: String, from rest: inout Substring) -> Bool {
        guard rest.utf8.starts(with: prefix.utf8) else { return false }
        rest = rest[rest.utf8.index(rest.startIndex, offsetBy: prefix.utf8.count)...]
        return true
    }

    /// Reads a JSON string with the escapes of `quote`.
    private static func string(_ rest: inout Substring) -> String? {
        guard rest.unicodeScalars.popFirst() == "\"" else { return nil }
        var out = ""
        while let scalar = rest.unicodeScalars.popFirst() {
            switch scalar {
            case "\"": return out
            case "\\":
                switch rest.unicodeScalars.popFirst() {
                case "\"": out += "\""
                case "\\": out += "\\"
                case "u":
                    let digits = String(rest.unicodeScalars.prefix(4))
                    rest.unicodeScalars.removeFirst(min(4, rest.unicodeScalars.count))
                    guard let value = UInt32(digits, radix: 16), let escaped = Unicode.Scalar(value) else { return nil }
                    out.unicodeScalars.append(escaped)
                default: return nil
                }
            default: out.unicodeScalars.append(scalar)
            }
        }
        return nil
    }
}
