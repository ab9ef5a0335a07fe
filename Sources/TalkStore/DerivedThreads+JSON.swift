internal import TalkPages

/// The file of the derived threads. `show` waits for nothing as long as for this file, and a large page makes a large
/// one, so it is written and read piece by piece.
extension DerivedThreads {
    /// As JSON, an item a line.
    var json: [UInt8] {
        var out = JSONBuffer()
        out.append(raw: "{\"treeID\":")
        out.append(string: treeID)
        out.append(raw: ",\"parserVersion\":\(parserVersion),\"localeHash\":")
        out.append(string: localeHash)
        out.append("revision", revision?.rawValue)
        out.append("revisionTime", revisionTime)
        out.append("revisionUser", revisionUser)
        out.append(raw: ",\"items\":[")
        for (index, item) in items.enumerated() {
            out.append(raw: index == 0 ? "\n" : ",\n")
            out.append(item)
        }
        out.append(raw: "\n]}\n")
        return out.bytes
    }

    /// Reads the file; nil when it is cut.
    ///
    /// Members that a newer program has put there are passed over.
    init?(json: [UInt8]) {
        var scanner = JSONScanner(json)
        do throws(JSONError) {
            try self.init(&scanner)
        } catch {
            return nil
        }
    }

    private init(_ scanner: inout JSONScanner) throws(JSONError) {
        self.init(treeID: "", parserVersion: 0, localeHash: "", revision: nil, items: [])
        try scanner.object { scanner, key throws(JSONError) in
            switch key {
            case "treeID": treeID = try scanner.string()
            case "parserVersion": parserVersion = Int(try scanner.integer())
            case "localeHash": localeHash = try scanner.string()
            case "revision": revision = RevisionID(rawValue: try scanner.integer())
            case "revisionTime": revisionTime = try scanner.integer()
            case "revisionUser": revisionUser = try scanner.string()
            case "items":
                try scanner.array { scanner throws(JSONError) in items.append(try ThreadItem(&scanner)) }
            default: try scanner.skip()
            }
        }
    }
}

extension JSONBuffer {
    /// Appends a member, unless it has no value.
    fileprivate mutating func append(_ key: StaticString, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        append(key)
        append(raw: String(value))
    }

    /// Appends a member, unless it has no value.
    fileprivate mutating func append(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        append(key)
        append(string: value)
    }

    private mutating func append(_ key: StaticString) {
        append(raw: ",\"")
        append(raw: key.description)
        append(raw: "\":")
    }

    fileprivate mutating func append(_ item: ThreadItem) {
        append(raw: "{\"kind\":\"\(item.kind.rawValue)\",\"level\":\(item.level)")
        append("headingLevel", item.headingLevel)
        append("id", item.id)
        append("name", item.name)
        append("parent", item.parent)
        append("author", item.author)
        append("timestamp", item.timestamp)
        append("text", item.text)
        append("readableText", item.readableText)
        append("file", item.file)
        append("pending", item.pending)
        switch item.transclusion {
        case .page(let title): append("transclusion", title)
        case .unknown: append(raw: ",\"transclusion\":null")
        case nil: break
        }
        append(raw: "}")
    }
}

extension ThreadItem {
    fileprivate init(_ scanner: inout JSONScanner) throws(JSONError) {
        self.init(kind: .comment, level: 0, id: "", name: "", parent: nil, text: "")
        try scanner.object { scanner, key throws(JSONError) in
            switch key {
            case "kind":
                guard let kind = Kind(rawValue: try scanner.string()) else { throw scanner.failure }
                self.kind = kind
            case "level": level = Int(try scanner.integer())
            case "headingLevel": headingLevel = Int(try scanner.integer())
            case "id": id = try scanner.string()
            case "name": name = try scanner.string()
            case "parent": parent = Int(try scanner.integer())
            case "author": author = try scanner.string()
            case "timestamp": timestamp = try scanner.integer()
            case "text": text = try scanner.string()
            case "readableText": readableText = try scanner.string()
            case "file": file = try scanner.string()
            case "pending": pending = try scanner.string()
            case "transclusion":
                if scanner.next() == UInt8(ascii: "n") {
                    try scanner.word("null")
                    transclusion = .unknown
                } else {
                    transclusion = .page(try scanner.string())
                }
            default: try scanner.skip()
            }
        }
    }
}
