internal import TalkGit
internal import TalkPages

/// What is around the objects: configuration, hook, and what programs that died have left.
extension Store {
    func examineConfiguration(_ examination: inout Examination) throws(TalkError) {
        let subject = "the configuration of the store cannot be corrected"
        let configuration = try StoreFormat.check(layout)
        for (key, value, why) in Self.settings {
            let isRight =
                switch value {
                case "true", "false": configuration.boolean(key) == (value == "true")
                case "0": configuration.integer(key) == 0
                default: configuration.string(key) == value
                }
            if isRight { continue }
            if examination.repairs {
                faults.reach("write configuration")
                let path = layout.configuration
                try inGit(subject) { () throws(GitError) in
                    try ConfigurationFile.change(path) { file throws(GitError) in try file.set(key, to: value) }
                }
            }
            let found = configuration.string(key).map { "\(key) is \($0)" } ?? "\(key) is not set"
            examination.add(.configuration, "\(found): \(why)", repair: "set to \(value)")
        }
        for hidden in ["refs/heads/pending", "refs/discarded"]
        where !configuration.strings("transfer.hideRefs").contains(hidden) {
            if examination.repairs {
                faults.reach("write configuration")
                let path = layout.configuration
                try inGit(subject) { () throws(GitError) in
                    try ConfigurationFile.change(path) { file throws(GitError) in
                        try file.add("transfer.hideRefs", hidden)
                    }
                }
            }
            examination.add(
                .configuration, "transfer.hideRefs lacks \(hidden): replies that wait could leave this machine",
                repair: "added")
        }
    }

    private static let settings = [
        ("core.bare", "true", "nothing is checked out here"),
        ("core.logAllRefUpdates", "false", "reflogs keep what was purged"),
        ("core.fsync", "committed,reference", "a power failure may cut what git writes"),
        ("gc.auto", "0", "git would collect garbage beside a git-talk that writes"),
        ("gc.packRefs", "false", "references are to stay loose"),
        ("maintenance.auto", "false", "git would collect garbage beside a git-talk that writes"),
    ]

    func examineHook(_ examination: inout Examination) throws(TalkError) {
        let subject = "the hook of the store cannot be put back", path = layout.pushHook
        let (standing, information) = try onDisk(subject) { () throws(FileError) in
            (try Files.read(path), try Files.information(path, followingLink: true))
        }
        if let standing, !standing.starts(with: PushHook.beginning.utf8) {
            examination.add(
                .hook, "hooks/pre-push is not git-talk's: it may let replies that wait leave with a push",
                hint: "remove it, and run: git talk doctor", isNote: true)
        } else if standing == nil || standing != Array(PushHook.text.utf8)
            || (information?.permissions ?? 0) & 0o100 == 0
        {
            if examination.repairs {
                let scratch = scratch(path)
                try onDisk(subject) { () throws(FileError) in
                    try Files.makeDirectories(Files.directory(of: path))
                    faults.reach("write hook")
                    try Files.replace(path, Array(PushHook.text.utf8), mode: 0o700, scratch: scratch, durable: true)
                }
            }
            let what = standing == nil ? "is missing" : "is another one, or is not executable"
            examination.add(
                .hook, "hooks/pre-push \(what): replies that wait could leave with a push", repair: "put back")
        }
        let place = Files.directory(of: path), named = try StoreFormat.check(layout).string("core.hooksPath")
        guard named != place else { return }
        if let named, !named.hasSuffix("/.git/hooks") {
            examination.add(
                .hook, "core.hooksPath leads to \(named), where the hook that keeps replies out of a push is not",
                hint: "git config --unset core.hooksPath, and run: git talk doctor", isNote: true)
            return
        }
        // Where the first write of a program puts it, and anew after the store was moved.
        if examination.repairs {
            let configuration = layout.configuration
            try inGit(subject) { () throws(GitError) in
                try ConfigurationFile.change(configuration) { file throws(GitError) in
                    try file.set("core.hooksPath", to: place)
                }
            }
        }
    }

    func examineLeftovers(_ examination: inout Examination) throws(TalkError) {
        let subject = "what programs left cannot be removed", recovery = StoreRecovery(layout: layout)
        let repairs = examination.repairs, now = examination.now
        // Whoever repairs says that no git is at work; who only looks may see one.
        let locks = try onDisk(subject) { () throws(FileError) in
            repairs ? try recovery.locks(olderThan: 0, now) : try recovery.locks(now)
        }
        for path in locks {
            if repairs {
                try onDisk(subject) { () throws(FileError) in
                    faults.reach("remove lock")
                    try Files.remove(path)
                }
            }
            examination.add(
                .lock, "\(place(path)) is left of a git that was stopped, and keeps others from writing",
                repair: "removed")
        }
        let litter = try onDisk(subject) { () throws(FileError) in
            var paths = try recovery.litter(now) + recovery.packLeftovers(now).filter { !$0.hasSuffix(".pack") }
            try recovery.visit(layout.stagings) { path, _ in paths.append(path) }
            return paths
        }
        for path in litter {
            if repairs {
                try onDisk(subject) { () throws(FileError) in
                    faults.reach("remove litter")
                    try Files.removeTree(path)
                    try Files.removeTree(layout.stagings)
                }
            }
        }
        if !litter.isEmpty {
            let count = litter.count == 1 ? "1 file" : "\(litter.count) files"
            examination.add(
                .litter, "\(count) that a program which died was writing, such as \(place(litter[0]))",
                repair: "removed", isNote: true)
        }
    }
}
