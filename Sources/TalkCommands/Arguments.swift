/// A wrong command line; exit code 64.
struct UsageError: Error {
    let message: String
    /// Whether a word is missing, so that the usage line says what to do.
    let isIncomplete: Bool
    init(_ message: String, isIncomplete: Bool = false) {
        self.message = message
        self.isIncomplete = isIncomplete
    }
}

/// An option of a verb.
struct Option: Sendable {
    /// Without dashes: `message`.
    let name: String
    /// One letter for `-m`.
    let letter: Character?
    /// What stands for the value in the help; nil for a flag.
    let value: String?
    /// One line for the help.
    let help: String

    init(_ name: String, letter: Character? = nil, value: String? = nil, _ help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }

    /// What every verb takes.
    static let common = [
        Option("store", value: "<dir>", "the store to use instead of the default one"),
        Option("json", "print one JSON object for programs"),
        Option("help", letter: "h", "show this help"),
    ]
}

/// The command line of one verb, taken apart.
struct Arguments: Sendable {
    private(set) var values: [String: String] = [:]
    private(set) var positional: [String] = []

    /// Takes `words` apart: `--flag`, `--name value`, `--name=value`, `-m value`, `-mvalue`, `--`.
    ///
    /// Throws `UsageError` for an option that the verb does not have, naming the nearest one.
    init(_ words: [String], options: [Option]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                positional.append(word)
                continue
            }
            var attached: String?
            let option: Option
            if word.hasPrefix("--") {
                let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0])
                attached = parts.count == 2 ? String(parts[1]) : nil
                guard let found = options.first(where: { $0.name == name }) else {
                    let nearest = Self.nearest(name, in: options.map(\.name))
                    throw UsageError("unknown option '--\(name)'" + (nearest.map { "; did you mean '--\($0)'?" } ?? ""))
                }
                option = found
            } else {
                let letter = word[word.index(after: word.startIndex)]
                // As with git, -20 is -n 20.
                let isNumber = word.dropFirst().utf8.allSatisfy { 0x30...0x39 ~= $0 }
                guard let found = options.first(where: { $0.letter == (isNumber ? "n" : letter) }) else {
                    throw UsageError("unknown option '-\(letter)'")
                }
                option = found
                let tail = word.dropFirst(isNumber ? 1 : 2)
                attached = tail.isEmpty ? nil : String(tail)
            }
            guard option.value != nil else {
                if attached != nil { throw UsageError("option '--\(option.name)' takes no value") }
                values[option.name] = ""
                continue
            }
            guard let value = attached ?? rest.popFirst() else {
                throw UsageError("option '--\(option.name)' needs a value")
            }
            // Neither text may be dropped in silence.
            guard values[option.name] == nil else { throw UsageError("option '--\(option.name)' was given twice") }
            values[option.name] = value
        }
    }

    /// Whether the flag or option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The option's value.
    subscript(_ name: String) -> String? { values[name] }

    /// Checks the number of words that are no options; `what` names the first one that is wanted.
    func expect(_ range: ClosedRange<Int>, _ what: String) throws {
        if positional.count < range.lowerBound {
            throw UsageError("no \(what) was given", isIncomplete: true)
        }
        if positional.count > range.upperBound {
            throw UsageError("unexpected argument '\(positional[range.upperBound])'")
        }
    }

    /// The candidate with the smallest edit distance, when it is near enough to be meant.
    static func nearest(_ word: String, in candidates: [String]) -> String? {
        let scored = candidates.map { ($0, distance(word, $0)) }
        guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= max(2, word.count / 3) else { return nil }
        return best.0
    }

    private static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a), b = Array(b)
        var row = Array(0...b.count)
        for i in a.indices {
            var previous = row[0]
            row[0] = i + 1
            for j in b.indices {
                let cost = a[i] == b[j] ? previous : previous + 1
                previous = row[j + 1]
                row[j + 1] = min(cost, row[j] + 1, previous + 1)
            }
        }
        return row[b.count]
    }
}
