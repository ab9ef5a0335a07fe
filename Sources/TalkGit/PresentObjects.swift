extension Repository {
    /// What a commit, to which a reference leads, leads to itself: its tree with all that is in it; not its history.
    ///
    /// What cannot be read is left out, with what is below it.
    public borrowing func present(at commit: ObjectID?) -> Set<ObjectID> {
        guard let commit, let bytes = try? bytes(of: .commit, commit),
            // "tree <name>" is the first line.
            let root = String(validating: bytes.prefix(45).dropFirst(5), as: UTF8.self).flatMap({ ObjectID(hex: $0) })
        else { return [] }
        var present: Set = [commit, root]
        var directories = [root]
        while let directory = directories.popLast() {
            for entry in (try? tree(directory)) ?? [] where present.insert(entry.id).inserted {
                if entry.mode == .directory { directories.append(entry.id) }
            }
        }
        return present
    }
}
