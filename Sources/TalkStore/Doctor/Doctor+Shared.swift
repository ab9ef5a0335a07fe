internal import TalkGit
internal import TalkPages

/// Bookmarks, what was purged, and long titles.
extension Store {
    func examineShared(_ examination: inout Examination) throws(TalkError) {
        for record in SharedRecord.allCases {
            let name = record.reference, target = examination.references[name]
            guard target != nil || examination.lostReferences.contains(name) else { continue }
            if let target, try isSound(record, target) { continue }
            // Each version knows what those before it knew, or another store's did: joined they know the most.
            var files: [String: String] = [:]
            for version in (examination.objects.shared[record] ?? []) + (target.map { [$0] } ?? []) {
                files = record.join(files, try validFiles(of: record, at: version, examination))
            }
            if record == .purged { for file in try loggedPurges() { files = record.join(files, file) } }
            if examination.repairs { try put(record, files, replacing: target) }
            let count = files.count == 1 ? "1 entry" : "\(files.count) entries"
            examination.add(
                .shared, "\(name) (\(Self.words(record))) is damaged",
                repair: files.isEmpty
                    ? "removed: nothing of it can be read" : "made anew of the \(count) that can be read",
                hint: Self.hint(record))
        }
        if examination.repairs { reopen() }
    }

    private static func words(_ record: SharedRecord) -> String {
        switch record {
        case .purged: "what was purged"
        case .bookmarks: "the bookmarks"
        case .titles: "long titles"
        }
    }

    private static func hint(_ record: SharedRecord) -> String {
        switch record {
        case .purged: "take out again what the wikis hide: git talk pull --recheck"
        case .bookmarks: "see whether all are there: git talk bookmark"
        case .titles: "bring the title of a page that is missing: git talk pull <page>"
        }
    }

    private func isSound(_ record: SharedRecord, _ target: ObjectID) throws(TalkError) -> Bool {
        try read { repository throws(GitError) in
            let bytes = try repository.bytes(of: .commit, target)
            _ = try repository.files(of: record, at: target)
            return CommitText(parsing: bytes).map { record.commit($0.tree) == bytes } ?? false
        } ?? false
    }

    /// What the log of this machine says of what was purged: what must not come back needs more than one place.
    private func loggedPurges() throws(TalkError) -> [[String: String]] {
        let bytes = try onDisk("the log of what was purged cannot be read") { () throws(FileError) in
            try Files.read(layout.purgeLog)
        }
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").compactMap { line in
            // `<time> <page> <revid> <words>`
            let fields = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard fields.count == 4 else { return nil }
            let path = StoreLayout.names(in: fields[1]) + [fields[2]], text = fields[3] + "\n"
            return SharedRecord.purged.isValid(text, at: path) ? [path.joined(separator: "/"): text] : nil
        }
    }

    /// What can be read of a version, and may stand there.
    private func validFiles(
        of record: SharedRecord, at commit: ObjectID, _ examination: Examination
    ) throws(TalkError) -> [String: String] {
        let root = try read { repository throws(GitError) in
            CommitLinks(parsing: try repository.bytes(of: .commit, commit))?.tree
        }
        var directories: [(path: [String], id: ObjectID)] = []
        if let root = root ?? nil { directories.append(([], root)) }
        var files: [String: String] = [:]
        while let (path, id) = directories.popLast() {
            for entry in try read({ repository throws(GitError) in try repository.tree(id) }) ?? [] {
                let path = path + [entry.name]
                if entry.mode == .directory, path.count < record.depth {
                    directories.append((path, entry.id))
                } else if entry.mode == .file, path.count == record.depth,
                    let bytes = try read({ repository throws(GitError) in try repository.bytes(of: .blob, entry.id) }),
                    let text = String(validating: bytes, as: UTF8.self), record.isValid(text, at: path)
                {
                    files[path.joined(separator: "/")] = text
                }
            }
        }
        return files
    }

    private func put(_ record: SharedRecord, _ files: [String: String], replacing old: ObjectID?) throws(TalkError) {
        let subject = "\(record.reference) cannot be made anew"
        var batch = ObjectBatch()
        let new = try git(subject) { repository throws(GitError) in
            try repository.insert(record, files, into: &batch)
        }
        guard let new else {
            guard let old else { return }
            return try git(subject) { repository throws(GitError) in
                try repository.deleteReference(record.reference, from: old)
            }
        }
        faults.reach("write pack")
        _ = try git(subject) { repository throws(GitError) in
            try repository.write(batch, present: repository.present(at: old))
        }
        faults.reach("move \(record.name)")
        if new != old { try moveReference(record.reference, from: old?.description, to: new, subject) }
    }
}
