internal import TalkGit
internal import TalkPages

/// What is derived from the branches, and what this machine knows beside them.
extension Store {
    /// How a page's directory differs from the commit that it should equal.
    private enum Difference {
        case none
        case stale(String)
        /// Somebody has written there.
        case edited(String)
    }

    func examineFiles(_ examination: inout Examination) throws(TalkError) {
        var heads: [String: ObjectID] = [:]
        for (name, target) in examination.references(under: StoreLayout.branches) where name != StoreLayout.mainBranch {
            if !name.hasPrefix(StoreLayout.pendingBranches), let target {
                heads[String(name.utf8.dropFirst(StoreLayout.branches.utf8.count)) ?? ""] = target
            }
        }
        for (name, target) in examination.references(under: StoreLayout.pendingBranches) {
            if let target { heads[String(name.utf8.dropFirst(StoreLayout.pendingBranches.utf8.count)) ?? ""] = target }
        }
        var titles: [String: PageName] = [:]
        for state in try reader.states() { titles[StoreLayout.component(of: state.page)] = state.page }
        for (component, head) in heads.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let page = StoreLayout.page(ofBranch: StoreLayout.branches + component) ?? titles[component] else {
                continue
            }
            try examineDirectory(of: page, head, &examination)
        }
        for component in try directories() where heads[component] == nil {
            // Where a pending branch was just removed its page comes back with the journals.
            if examination.lostReferences.contains(StoreLayout.branches + component) { continue }
            try examineStray(component, &examination)
        }
    }

    private func examineDirectory(
        of page: PageName, _ head: ObjectID, _ examination: inout Examination
    ) throws(TalkError) {
        let directory = layout.pageDirectory(of: page)
        var difference = try onDisk("the files of the page \(page) cannot be examined") { () throws(FileError) in
            try Self.difference(of: directory)
        }
        if case .none = difference, try reader.stamp(of: page)?.commit != head.description {
            difference = .stale("are not those of its branch")
        }
        let what: String
        var repair = "made anew"
        switch difference {
        case .none: return
        case .stale(let words): what = words
        case .edited(let words):
            what = words
            if examination.repairs {
                repair += "; what was there is "
                repair += try moveAside(directory, named: "files-\(StoreLayout.component(of: page))")
            }
        }
        if examination.repairs {
            do throws(TalkError) { try publish(page, discardingFiles: true) } catch {
                guard error.kind == .damaged else { throw error }
                // Its branch is what is damaged.
                repair = "they cannot be made anew"
            }
        }
        examination.add(.files, "\(page.prefixedTitle): its files \(what)", page: page, repair: repair)
    }

    private static func difference(of directory: String) throws(FileError) -> Difference {
        guard try Files.information(directory) != nil else { return .stale("are not there") }
        guard let bytes = try Files.read("\(directory)/\(PageStamp.name)"), let stamp = PageStamp(parsing: bytes) else {
            return .stale("have no stamp that can be read")
        }
        var listed: Set = [PageStamp.name]
        var stale: String?
        for file in stamp.files {
            listed.insert(file.path)
            let path = "\(directory)/\(file.path)"
            guard let information = try Files.information(path), information.kind == .file else {
                stale = "lack \(file.path)"
                continue
            }
            let bytes = try Files.read(path) ?? []
            if (try? ObjectID(of: .blob, bytes).description) != file.blob {
                // A power failure leaves a file empty, or zeroes in it.
                guard bytes.allSatisfy({ $0 == 0 }) || bytes.isEmpty else {
                    return .edited("were changed: \(file.path)")
                }
                stale = "are cut: \(file.path)"
            } else if information.permissions != 0o444 {
                stale = stale ?? "may be written to: \(file.path)"
            }
        }
        for below in ["", "sections/", "pending/"] {
            for name in try Files.list("\(directory)/\(below)") ?? [] where !listed.contains(below + name) {
                if below.isEmpty, ["sections", "pending"].contains(name) { continue }
                if name.hasPrefix(PageStamp.name) { continue }
                return .edited("have another one among them: \(below)\(name)")
            }
        }
        return stale.map { .stale($0) } ?? .none
    }

    /// What may be a page's directory: three names with a stamp below.
    func directories() throws(TalkError) -> [String] {
        try onDisk("the files of the pages cannot be listed") { () throws(FileError) in
            var found = [""]
            for level in 1...3 {
                var next: [String] = []
                for above in found {
                    for name in try Files.list("\(layout.root)/\(above)") ?? [] where level > 1 || !name.hasPrefix(".")
                    {
                        let path = above.isEmpty ? name : "\(above)/\(name)"
                        if try Files.information("\(layout.root)/\(path)")?.kind == .directory { next.append(path) }
                    }
                }
                found = next
            }
            var stamped: [String] = []
            for path in found where try Files.information("\(layout.root)/\(path)/\(PageStamp.name)") != nil {
                stamped.append(path)
            }
            return stamped
        }
    }

    private func examineStray(_ component: String, _ examination: inout Examination) throws(TalkError) {
        let subject = "files of a page that is not cached cannot be removed", path = "\(layout.root)/\(component)"
        let difference = try onDisk(subject) { () throws(FileError) in try Self.difference(of: path) }
        var repair = "removed"
        if examination.repairs {
            if case .edited = difference { repair = "moved to \(try moveAside(path, named: "files-\(component)"))" }
            try onDisk(subject) { () throws(FileError) in
                faults.reach("remove files")
                try Files.removeTree(path)
                let namespace = Files.directory(of: path)
                if try Files.removeEmptyDirectory(namespace) {
                    try Files.removeEmptyDirectory(Files.directory(of: namespace))
                }
            }
        }
        examination.add(.files, "\(component): its files are there, and no branch", repair: repair)
    }

    // MARK: What this machine knows

    func examineStates(_ examination: inout Examination) throws(TalkError) {
        let branches = Set(examination.references.keys)
        try eachFile(below: layout.states) { file throws(TalkError) in
            let path = "\(layout.states)/\(file)"
            guard file.hasSuffix(".json"), !Files.name(of: file).hasPrefix(StoreRecovery.scratchPrefix) else { return }
            let state = try decode(PageState.self, path)
            if let state, layout.state(of: state.page).utf8.elementsEqual(path.utf8) { return }
            let branch = StoreLayout.branches + file.dropLast(".json".count)
            let page = StoreLayout.page(ofBranch: branch)
            try remove(path, examination)
            if let page, branches.contains(branch), examination.repairs {
                var state = PageState(page: page, displayTitle: page.prefixedTitle)
                state.isKept = true
                try write(state, durable: true)
            }
            examination.add(
                .state, "\(place(path)) cannot be read", page: page,
                repair: "made anew as far as it is known; the next pull asks the wiki again",
                isNote: true)
        }
        let threads = "\(layout.privateDirectory)/threads"
        try eachFile(below: threads) { file throws(TalkError) in
            let path = "\(threads)/\(file)"
            guard file.hasSuffix(".json"), !Files.name(of: file).hasPrefix(StoreRecovery.scratchPrefix) else { return }
            let bytes = try onDisk("\(place(path)) cannot be examined") { () throws(FileError) in try Files.read(path) }
            if DerivedThreads(json: bytes ?? []) != nil { return }
            try remove(path, examination)
            examination.add(
                .state, "\(place(path)) cannot be read", repair: "removed; it is made anew when it is needed",
                isNote: true)
        }
        try eachFile(below: layout.wikis) { file throws(TalkError) in
            let path = "\(layout.wikis)/\(file)"
            guard file.hasSuffix(".json"), !file.hasPrefix(StoreRecovery.scratchPrefix) else { return }
            if try decode(Wiki.self, path) != nil { return }
            try remove(path, examination)
            examination.add(
                .state, "\(place(path)) cannot be read", repair: "removed",
                hint: "pull a page of that wiki by its address: git talk pull https://…")
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws(TalkError) -> Value? {
        let bytes = try onDisk("\(place(path)) cannot be examined") { () throws(FileError) in try Files.read(path) }
        return bytes.flatMap { try? StoredJSON.decode(type, $0) }
    }

    private func remove(_ path: String, _ examination: Examination) throws(TalkError) {
        guard examination.repairs else { return }
        try onDisk("\(place(path)) cannot be removed") { () throws(FileError) in
            faults.reach("remove state")
            try Files.remove(path)
        }
    }

    // MARK: What was purged

    /// What was purged must be in no object, whether something leads to it or not.
    func examinePurged(_ examination: inout Examination) throws(TalkError) {
        let files =
            try read { repository throws(GitError) in
                try repository.files(of: .purged, at: try repository.resolve(PurgeRecord.reference))
            } ?? [:]
        var parts: [String: [RevisionID: PurgedParts]] = [:]
        for (path, text) in files {
            let names = StoreLayout.names(in: path)
            guard let wiki = StoreLayout.wiki(ofComponent: path), let id = Int64(names[names.count - 1]) else {
                continue
            }
            parts[wiki, default: [:]][RevisionID(rawValue: id), default: []].formUnion(
                PurgedParts(words: text.split(whereSeparator: \.isWhitespace)))
        }
        var found: Set<RevisionID> = []
        var commits: Set<ObjectID> = []
        for (wiki, purged) in parts {
            for (name, commit) in examination.objects.revisions[wiki] ?? [:] {
                let id = commit.record.id
                if commit.without(purged[id] ?? [], wiki: wiki) != commit {
                    found.insert(id)
                    commits.insert(name)
                }
            }
        }
        if found.isEmpty { return }
        let ids = found.sorted().prefix(5).map(\.description).joined(separator: ", ")
        let more = found.count > 5 ? " and \(found.count - 5) more" : ""
        var repair: String?
        var hint: String?
        if examination.repairs, let program = examination.program {
            try collect(program.git, program.lock, afterPurge: true)
            let left = try present(commits, "what was purged cannot be looked for")
            if let one = left.min() {
                let names = try keepers(of: PurgedObjects(commits: left.sorted(), objects: left), program.git)
                hint =
                    names.isEmpty
                    ? "delete what refers to it: git for-each-ref --contains \(one)"
                    : "delete what refers to it (\(names.joined(separator: ", "))), then: git talk doctor"
            } else {
                repair = "what nothing leads to is removed from the store"
            }
        } else if examination.repairs {
            hint = "install git, and run: git talk doctor"
        }
        examination.add(
            .purged,
            "what was purged is still in the store: \(found.count == 1 ? "revision" : "revisions") \(ids)\(more)",
            repair: repair, hint: hint)
    }
}
