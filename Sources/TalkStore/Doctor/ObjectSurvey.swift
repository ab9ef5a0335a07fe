internal import TalkGit
internal import TalkPages

/// Which objects a store has whole, and what the commits among them are.
struct ObjectSurvey {
    /// Objects that are whole in one place at least.
    var whole: Set<ObjectID> = []
    /// Objects that are damaged wherever they are.
    var damaged: Set<ObjectID> = []
    /// Every commit of a revision, by wiki, whether a branch leads to it or not.
    var revisions: [String: [ObjectID: RevisionCommit]] = [:]
    /// Every commit of a pending or a discarded reply.
    var replies: [ObjectID: CommitText] = [:]
    /// Every version of what stores share.
    var shared: [SharedRecord: [ObjectID]] = [:]

    /// Directories and commits of which all is known to be there.
    var wholeTrees: Set<ObjectID> = []
    var wholeHistories: Set<ObjectID> = []
    /// Whether a tree is a page with all its files.
    var pages: [ObjectID: Bool] = [:]

    func isWhole(_ id: ObjectID) -> Bool { whole.contains(id) && !damaged.contains(id) }

    /// Remembers an object that is whole.
    mutating func take(_ id: ObjectID, _ object: GitObject?) {
        guard whole.insert(id).inserted, let object, object.kind == .commit,
            let text = CommitText(parsing: object.bytes)
        else { return }
        if text.trailer("Pending-Id") != nil {
            replies[id] = text
        } else if let wiki = text.author.mail.lastIndex(of: "@").map({ String(text.author.mail[$0...].dropFirst()) }),
            let (commit, _) = RevisionCommit.parse(object.bytes, wiki: wiki)
        {
            revisions[wiki, default: [:]][id] = commit
        } else if let record = SharedRecord.allCases.first(where: { $0.commit(text.tree) == object.bytes }) {
            shared[record, default: []].append(id)
        }
    }
}

extension Store {
    /// Reads every object wherever it is.
    ///
    /// One that is damaged hides a whole one, and whoever writes it again believes that it is there; so a damaged place is
    /// taken out of the way, and what is whole in it is written once more before that.
    func examineObjects(_ examination: inout Examination) throws(TalkError) {
        try examineLoose(&examination)
        try examinePacks(&examination)
        examination.objects.damaged.subtract(examination.objects.whole)
    }

    private func examineLoose(_ examination: inout Examination) throws(TalkError) {
        let subject = "the objects of the store cannot be examined", objects = "\(layout.gitDirectory)/objects"
        var damaged: [ObjectID] = []
        try inGit(subject) { () throws(GitError) in
            let source = try ObjectSource(looseIn: objects)
            for id in try source.names() {
                do throws(GitError) { examination.objects.take(id, try source.object(id)) } catch {
                    if error.cause != nil { throw error }
                    damaged.append(id)
                }
            }
        }
        examination.objects.damaged.formUnion(damaged)
        for id in damaged {
            let name = id.description, path = "\(objects)/\(name.prefix(2))/\(name.dropFirst(2))"
            let isEmpty = try onDisk(subject) { () throws(FileError) in try Files.information(path)?.size == 0 }
            var repair: String?
            if examination.repairs, isEmpty {
                try onDisk(subject) { () throws(FileError) in
                    faults.reach("remove empty object")
                    try Files.remove(path)
                }
                repair = "removed"
            } else if examination.repairs {
                repair = "moved to \(try moveAside(path, named: "object-\(name)"))"
            }
            examination.add(
                .object,
                "\(place(path)) is \(isEmpty ? "empty" : "damaged"), and would keep it from being written again",
                repair: repair)
        }
    }

    private func examinePacks(_ examination: inout Examination) throws(TalkError) {
        let subject = "the packs of the store cannot be examined"
        let directory = "\(layout.gitDirectory)/objects/pack"
        let names = Set(try onDisk(subject) { () throws(FileError) in try Files.list(directory) ?? [] })
        for name in names.sorted() where name.hasPrefix("pack-") && name.hasSuffix(".pack") {
            let stem = String(name.dropLast(".pack".count))
            if names.contains("\(stem).idx"), try surveyPack("\(directory)/\(stem)", &examination) { continue }
            let hasIndex = names.contains("\(stem).idx")
            if !hasIndex, !(try isLeft("\(directory)/\(name)", examination.now)) { continue }
            try mendIndex(directory, stem, hasIndex, &examination)
        }
    }

    /// A fetch of the user's may just be bringing a pack, whose index comes last.
    private func isLeft(_ path: String, _ now: Int64) throws(TalkError) -> Bool {
        try onDisk("the packs of the store cannot be examined") { () throws(FileError) in
            guard let file = try Files.information(path) else { return false }
            return now - file.modified >= StoreRecovery.lockAge
        }
    }

    /// Reads all objects of a pack; false when its index is no use.
    private func surveyPack(_ stem: String, _ examination: inout Examination) throws(TalkError) -> Bool {
        var damaged: [ObjectID] = []
        var whole: [ObjectID] = []
        var survey = examination.objects
        do throws(GitError) {
            let source = try ObjectSource(packWithIndex: "\(stem).idx")
            for id in try source.names() {
                do throws(GitError) {
                    survey.take(id, try source.object(id))
                    whole.append(id)
                } catch {
                    if error.cause != nil { throw error }
                    damaged.append(id)
                }
            }
        } catch {
            guard error.cause == nil else { throw TalkError(error, "the packs of the store cannot be examined") }
            return false
        }
        // Nothing can be read where the index is that of another pack, or the pack is cut at its beginning.
        if !damaged.isEmpty, examination.repairs, let program = examination.program {
            if whole.isEmpty { return false }
            if try isWhole(pack: stem, program) { return false }
        }
        examination.objects = survey
        examination.objects.damaged.formUnion(damaged)
        guard !damaged.isEmpty else { return true }
        var repair: String?
        if examination.repairs {
            try rescue(whole, from: stem)
            repair = try movePackAside(stem)
        }
        examination.add(
            .pack,
            "\(place(stem)).pack is damaged and has lost \(damaged.count) of its \(damaged.count + whole.count) objects",
            repair: repair.map { "the others are in a new pack, and it is moved to \($0)" })
        return true
    }

    /// Whether only the index of a pack is damaged.
    private func isWhole(pack stem: String, _ program: (git: GitProgram, lock: Int32)) throws(TalkError) -> Bool {
        let index = scratch(layout.lock)
        let words = ["index-pack", "--no-rev-index", "-o", index, "\(stem).pack"]
        let answer = try? program.git.run(words, holding: program.lock)
        try onDisk("\(place(stem)).pack cannot be examined") { () throws(FileError) in try Files.remove(index) }
        return answer?.isSuccess == true
    }

    /// Writes objects of a damaged pack into new ones, some megabytes at a time.
    private func rescue(_ ids: [ObjectID], from stem: String) throws(TalkError) {
        let subject = "what is whole of \(place(stem)).pack cannot be kept"
        try git(subject) { repository throws(GitError) in
            let source = try ObjectSource(packWithIndex: "\(stem).idx")
            var batch = ObjectBatch()
            var size = 0
            for id in ids {
                guard let object = try source.object(id) else { continue }
                try batch.insert(object.kind, object.bytes)
                size += object.bytes.count
                guard size > 1 << 25 else { continue }
                faults.reach("write pack")
                try repository.write(batch)
                batch = ObjectBatch()
                size = 0
            }
            faults.reach("write pack")
            try repository.write(batch)
        }
    }

    /// Moves a pack with what belongs to it out of the way, its index first: without it nobody reads the pack.
    private func movePackAside(_ stem: String) throws(TalkError) -> String {
        let name = Files.name(of: stem)
        var target = ""
        try onDisk("a pack cannot be moved") { () throws(FileError) in
            // An index of several packs, which a user's git has made, would go on naming it.
            faults.reach("remove multi-pack-index")
            try Files.remove("\(Files.directory(of: stem))/multi-pack-index")
        }
        for end in ["idx", "rev", "bitmap", "mtimes", "keep", "pack"] {
            let path = "\(stem).\(end)"
            guard try onDisk("a pack cannot be moved", { () throws(FileError) in try Files.information(path) }) != nil
            else { continue }
            target = try moveAside(path, named: "\(name).\(end)")
        }
        reopen()
        return target
    }

    /// Makes the index of a pack anew, or moves the pack out of the way.
    private func mendIndex(
        _ directory: String, _ stem: String, _ hasIndex: Bool, _ examination: inout Examination
    ) throws(TalkError) {
        let path = "\(directory)/\(stem)"
        let what = hasIndex ? "cannot be read with its index" : "has no index, so that nobody reads it"
        guard examination.repairs else {
            examination.add(.pack, "\(place(path)).pack \(what)")
            return
        }
        if let program = examination.program {
            if hasIndex { _ = try moveAside("\(path).idx", named: "\(stem).idx") }
            faults.reach("index pack")
            let answer = try? program.git.run(["index-pack", "\(path).pack"], holding: program.lock)
            reopen()
            if answer?.isSuccess == true, try surveyPack(path, &examination) {
                examination.add(.pack, "\(place(path)).pack \(what)", repair: "its index is made anew")
                return
            }
        }
        examination.add(
            .pack, "\(place(path)).pack \(what)", repair: "moved to \(try movePackAside(path))",
            hint: examination.program == nil ? "install git, and its index is made anew" : nil)
    }
}
