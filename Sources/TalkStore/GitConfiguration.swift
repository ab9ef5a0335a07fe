/// The text of git configuration files, read without git.
///
/// Sections, subsections, quotes, escapes, comments and continued lines are understood as git does; `include` is not
/// followed. Later files and lines win.
public struct GitConfiguration: Hashable, Sendable {
    private var values: [String: [String]] = [:]
    private var keys: [String] = []

    /// Makes a configuration without a key.
    public init() {}

    /// Reads one file's text; nil when git would not accept it.
    public init?(parsing text: String) {
        guard read(text) else { return nil }
    }

    /// Adds another file's text, which wins; false when git would not accept it, and then nothing is added.
    public mutating func add(_ text: String) -> Bool {
        var copy = self
        guard copy.read(text) else { return false }
        self = copy
        return true
    }

    /// The last value of a key `section.subsection.name`.
    public func string(_ key: String) -> String? { strings(key).last }

    /// All values of a key, the winning one last.
    public func strings(_ key: String) -> [String] { values[Self.normalised(key)] ?? [] }

    /// A key as git's Boolean; nil when it is missing or no Boolean.
    public func boolean(_ key: String) -> Bool? {
        switch string(key)?.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0", "": false
        default: nil
        }
    }

    /// A key as git's integer, where `k`, `m` and `g` multiply; nil when it is missing or no integer.
    public func integer(_ key: String) -> Int? {
        guard var text = string(key)?.lowercased() else { return nil }
        var factor = 1
        if let unit = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30][text.suffix(1)] {
            factor = unit
            text.removeLast()
        }
        guard let number = Int(text) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// The subsections of a section in the order of the files: the keys of `[wiki "…"]`.
    public func subsections(of section: String) -> [String] {
        let prefix = section.lowercased() + "."
        var seen: Set<String> = []
        return keys.compactMap { key in
            guard key.hasPrefix(prefix), let dot = key.lastIndex(of: "."),
                dot >= key.index(key.startIndex, offsetBy: prefix.count)
            else { return nil }
            let name = String(key[..<dot].dropFirst(prefix.count))
            return seen.insert(name).inserted ? name : nil
        }
    }

    /// The keys of a section without subsections, in the order of the files.
    func names(in section: String) -> [String] {
        keys.filter { $0.hasPrefix(section + ".") && !$0.dropFirst(section.count + 1).contains(".") }
    }

    /// Section and name ignore case, the subsection does not.
    private static func normalised(_ key: String) -> String {
        guard let first = key.firstIndex(of: "."), let last = key.lastIndex(of: ".") else { return key.lowercased() }
        return key[..<first].lowercased() + key[first..<last] + key[last...].lowercased()
    }

    private mutating func read(_ text: String) -> Bool {
        var characters = Array(text.unicodeScalars)[...]
        if characters.first == "\u{FEFF}" { characters.removeFirst() }
        characters.removeAll { $0 == "\r" }
        var section = ""
        while let character = characters.popFirst() {
            switch character {
            case "\n", " ", "\t":
                continue
            case "#", ";":
                characters = characters.drop { $0 != "\n" }
            case "[":
                guard let name = Self.section(&characters) else { return false }
                section = name
            default:
                guard !section.isEmpty, ("a"..."z").contains(character) || ("A"..."Z").contains(character) else {
                    return false
                }
                var name = String(character)
                while let next = characters.first, Self.isNameCharacter(next) {
                    name.unicodeScalars.append(next)
                    characters.removeFirst()
                }
                characters = characters.drop { $0 == " " || $0 == "\t" }
                var value = "true"
                if characters.first == "=" {
                    characters.removeFirst()
                    guard let text = Self.value(&characters) else { return false }
                    value = text
                } else if let next = characters.first, next != "\n", next != "#", next != ";" {
                    return false
                }
                let key = section + "." + name.lowercased()
                if values[key] == nil { keys.append(key) }
                values[key, default: []].append(value)
            }
        }
        return true
    }

    private static func isNameCharacter(_ character: Unicode.Scalar) -> Bool {
        character.isASCII && (character.properties.isAlphabetic || ("0"..."9").contains(character) || character == "-")
    }

    /// What stands between the brackets, as the beginning of a key.
    private static func section(_ characters: inout ArraySlice<Unicode.Scalar>) -> String? {
        var name = ""
        while let character = characters.popFirst() {
            if character == "]" { return name.isEmpty ? nil : name.lowercased() }
            if character == " " || character == "\t" {
                characters = characters.drop { $0 == " " || $0 == "\t" }
                guard characters.popFirst() == "\"" else { return nil }
                var subsection = ""
                while let character = characters.popFirst() {
                    if character == "\"" {
                        return characters.popFirst() == "]" ? name.lowercased() + "." + subsection : nil
                    }
                    if character == "\n" { return nil }
                    guard let next = character == "\\" ? characters.popFirst() : character else { return nil }
                    subsection.unicodeScalars.append(next)
                }
                return nil
            }
            guard isNameCharacter(character) || character == "." else { return nil }
            name.unicodeScalars.append(character)
        }
        return nil
    }

    /// The rest of a line, and of those that continue it.
    private static func value(_ characters: inout ArraySlice<Unicode.Scalar>) -> String? {
        var value: [Unicode.Scalar] = []
        var kept = 0
        var isQuoted = false
        characters = characters.drop { $0 == " " || $0 == "\t" }
        while let character = characters.popFirst() {
            switch character {
            case "\n":
                return isQuoted ? nil : String(String.UnicodeScalarView(value[..<kept]))
            case "\"":
                isQuoted.toggle()
                kept = value.count
            case "#" where !isQuoted, ";" where !isQuoted:
                characters = characters.drop { $0 != "\n" }
            case "\\":
                switch characters.popFirst() {
                case "\n": continue
                case "n": value.append("\n")
                case "t": value.append("\t")
                case "b": value.append("\u{8}")
                case "\\": value.append("\\")
                case "\"": value.append("\"")
                default: return nil
                }
                kept = value.count
            default:
                value.append(character)
                // Spaces at the end count only within quotes.
                if isQuoted || (character != " " && character != "\t") { kept = value.count }
            }
        }
        return isQuoted ? nil : String(String.UnicodeScalarView(value[..<kept]))
    }
}
