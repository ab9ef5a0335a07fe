/// References as git keeps them in files, read without libgit2, which takes longer to start than to read them.
public enum ReferenceFiles {
    /// What the references below some directories say, by name: a commit's name, or `ref: ` and another reference.
    ///
    /// `prefixes` end in a slash. What others change meanwhile is read as it was before or after.
    public static func read(_ gitDirectory: String, below prefixes: [String]) throws(FileError) -> [String: String] {
        var found = try packed("\(gitDirectory)/packed-refs", below: prefixes)
        var pending = prefixes.map { String(decoding: $0.utf8.dropLast(), as: UTF8.self) }
        while let directory = pending.popLast() {
            for (name, isDirectory) in try Files.kinds(in: "\(gitDirectory)/\(directory)") ?? [] {
                let reference = "\(directory)/\(name)"
                if isDirectory {
                    pending.append(reference)
                } else if !name.hasSuffix(".lock"), let text = try Files.read("\(gitDirectory)/\(reference)") {
                    found[reference] = line(text[...])
                }
            }
        }
        return found
    }

    private static func packed(_ path: String, below prefixes: [String]) throws(FileError) -> [String: String] {
        var found: [String: String] = [:]
        for line in try (Files.read(path) ?? []).split(separator: UInt8(ascii: "\n")) {
            // `# pack-refs with: …`, `<id> <name>`, and `^<id>` for what the tag before it leads to.
            guard let space = line.firstIndex(of: UInt8(ascii: " ")), line.first != UInt8(ascii: "#") else { continue }
            let name = line[(space + 1)...]
            guard prefixes.contains(where: { name.starts(with: $0.utf8) }) else { continue }
            found[String(decoding: name, as: UTF8.self)] = Self.line(line[..<space])
        }
        return found
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
