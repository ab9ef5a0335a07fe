internal import TalkGit

/// The bytes of a commit object, taken apart and put together without libgit2, which trims names.
struct CommitText: Hashable {
    /// A line `author` or `committer`.
    struct Signature: Hashable {
        var name: String
        var mail: String
        var timestamp: Int64

        /// `name <mail> 1700000000 +0000`, with what git's grammar forbids escaped.
        var line: String { "\(CommitText.escape(name)) <\(CommitText.escape(mail))> \(timestamp) +0000" }
    }

    /// Who brings commits into a store.
    static func committer(at timestamp: Int64) -> Signature {
        Signature(name: "git-talk", mail: "git-talk@localhost", timestamp: timestamp)
    }

    var tree: ObjectID
    var parents: [ObjectID]
    var author: Signature
    var committer: Signature
    var subject: String
    /// Paragraphs between subject and trailers, without a newline at the end; empty when there are none.
    var body: String = ""
    /// The lines of the last paragraph.
    var trailers: [String]

    var bytes: [UInt8] {
        var text = "tree \(tree)\n"
        for parent in parents { text += "parent \(parent)\n" }
        text += "author \(author.line)\ncommitter \(committer.line)\n\n"
        text += Self.line(subject) + "\n"
        if !body.isEmpty { text += "\n" + body + "\n" }
        if !trailers.isEmpty { text += "\n" + trailers.map { $0 + "\n" }.joined() }
        return Array(text.utf8)
    }

    /// The value of a trailer.
    func trailer(_ key: String) -> String? {
        let prefix = "\(key): ".utf8
        return trailers.first { $0.utf8.starts(with: prefix) }.map { String($0.utf8.dropFirst(prefix.count)) ?? "" }
    }

    /// What ends a line, or a C string, becomes a space.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { "\n\r\0".unicodeScalars.contains($0) ? " " : $0 }))
    }

    /// What git forbids in a name becomes `%XX`, which no user name of MediaWiki has in it.
    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: isForbidden) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isForbidden(byte) {
                let digits = String(byte, radix: 16, uppercase: true)
                bytes += "%\(digits.count == 1 ? "0" : "")\(digits)".utf8
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Undoes `escape`, and nothing that only looks like it: a name may have `%+1` in it.
    static func unescape(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
                let low = rest.dropFirst().first.flatMap(digit), isForbidden(high << 4 | low)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of a capital hexadecimal digit.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A number in the one way in which it is written: decimal, without a plus sign or a zero before it.
    static func number(_ text: String) -> Int64? { Int64(text).flatMap { String($0) == text ? $0 : nil } }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    }
}

extension CommitText {
    /// Reads a commit that this code could have written; nil for any other shape.
    ///
    /// Works on bytes, since a name may begin with a character that joins with the space before it.
    init?(parsing bytes: [UInt8]) {
        guard bytes.last == Self.newline else { return nil }
        var lines = bytes.dropLast().split(separator: Self.newline, omittingEmptySubsequences: false)[...]
        guard let tree = Self.take("tree ", from: &lines), let id = ObjectID(hex: Self.text(tree)) else { return nil }
        self.tree = id
        parents = []
        while let parent = Self.take("parent ", from: &lines) {
            guard let id = ObjectID(hex: Self.text(parent)) else { return nil }
            parents.append(id)
        }
        guard let author = Self.take("author ", from: &lines).flatMap(Signature.init(parsing:)),
            let committer = Self.take("committer ", from: &lines).flatMap(Signature.init(parsing:)),
            lines.popFirst()?.isEmpty == true, let subject = lines.popFirst()
        else { return nil }
        self.author = author
        self.committer = committer
        self.subject = Self.text(subject)
        guard !lines.isEmpty else {
            trailers = []
            return
        }
        guard lines.popFirst()?.isEmpty == true else { return nil }
        let last = lines.lastIndex { $0.isEmpty }
        trailers = lines[(last.map { $0 + 1 } ?? lines.startIndex)...].map(Self.text)
        body = lines[..<(last ?? lines.startIndex)].map(Self.text).joined(separator: "\n")
    }

    private static let newline = UInt8(ascii: "\n")

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func take(_ key: String, from lines: inout ArraySlice<ArraySlice<UInt8>>) -> ArraySlice<UInt8>? {
        guard let line = lines.first, line.starts(with: key.utf8) else { return nil }
        lines.removeFirst()
        return line.dropFirst(key.utf8.count)
    }
}

extension CommitText.Signature {
    init?(parsing line: ArraySlice<UInt8>) {
        let zone = Array(" +0000".utf8)
        guard let open = line.lastIndex(of: UInt8(ascii: "<")), let close = line.lastIndex(of: UInt8(ascii: ">")),
            open < close, line[..<open].last == UInt8(ascii: " "), line.suffix(zone.count).elementsEqual(zone),
            line[(close + 1)...].first == UInt8(ascii: " "),
            let time = CommitText.number(
                String(decoding: line[(close + 1)...].dropFirst().dropLast(zone.count), as: UTF8.self))
        else { return nil }
        name = CommitText.unescape(String(decoding: line[..<open].dropLast(), as: UTF8.self))
        mail = CommitText.unescape(String(decoding: line[(open + 1)..<close], as: UTF8.self))
        timestamp = time
    }
}
