/// The names of users without an account, which have many spellings for one address.
enum InternetAddress {
    /// MediaWiki's spelling of an IP address or range: no leading zeros, IPv6 written out in upper case.
    ///
    /// Nil when the text is neither.
    static func canonical(_ text: String) -> String? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let address = parts[0]
        let isVersion4 = address.contains(".")
        guard let canonical = isVersion4 ? version4(address) : version6(address) else { return nil }
        guard parts.count == 2 else { return canonical }
        guard let length = Int(parts[1]), String(length) == parts[1], (0...(isVersion4 ? 32 : 128)).contains(length)
        else { return nil }
        return "\(canonical)/\(length)"
    }

    private static func version4(_ text: Substring) -> String? {
        let bytes = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = bytes.compactMap { byte -> Int? in
            guard (1...3).contains(byte.utf8.count), byte.utf8.allSatisfy({ (48...57).contains($0) }) else {
                return nil
            }
            return Int(byte).flatMap { $0 <= 255 ? $0 : nil }
        }
        guard bytes.count == 4, numbers.count == 4 else { return nil }
        return numbers.map(String.init).joined(separator: ".")
    }

    private static func version6(_ text: Substring) -> String? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard (1...2).contains(halves.count) else { return nil }
        var words: [[String]] = []
        for half in halves {
            let parts =
                half.isEmpty && halves.count == 2 ? [] : half.split(separator: ":", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { part in
                (1...4).contains(part.utf8.count) && part.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
                    ? UInt16(part, radix: 16) : nil
            }
            guard numbers.count == parts.count else { return nil }
            words.append(numbers.map { String($0, radix: 16, uppercase: true) })
        }
        let given = words.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? given <= 7 : given == 8 else { return nil }
        let zeros = Array(repeating: "0", count: 8 - given)
        return (words[0] + zeros + (words.count == 2 ? words[1] : [])).joined(separator: ":")
    }
}
