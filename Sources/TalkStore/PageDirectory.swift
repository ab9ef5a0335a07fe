internal import TalkGit
internal import TalkPages

/// Brings the directory of one page to a commit, in one step for whoever reads it.
///
/// The caller holds the page's lock. Nothing is flushed: the directory is a cache, and its stamp tells a whole one from
/// one that a power failure cut.
struct PageDirectory {
    let layout: StoreLayout
    let page: PageName
    let faults: StoreFaults

    private var directory: String { layout.pageDirectory(of: page) }
    private var staging: String { layout.staging(of: page) }
    private var stampFile: String { "\(directory)/\(PageStamp.name)" }

    func stamp() throws(FileError) -> PageStamp? {
        try Files.read(stampFile).flatMap(PageStamp.init(parsing:))
    }

    /// Makes the directory hold `files` and nothing else.
    ///
    /// Unchanged files keep their inode and time, unless none of the old ones is to be trusted.
    func publish(
        commit: ObjectID, tree: ObjectID, _ files: [PageFiles.Entry], discardingFiles: Bool,
        blob: (ObjectID) throws(TalkError) -> [UInt8]
    ) throws(TalkError) {
        let subject = "the files of the page \(page) cannot be written"
        let old = try onDisk(subject) { () throws(FileError) in
            try Files.makeDirectories(staging)
            for directory in ["sections", "pending"]
            where files.contains(where: { $0.path.utf8.starts(with: directory.utf8) }) {
                _ = try Files.makeDirectory("\(staging)/\(directory)")
            }
            return discardingFiles ? [:] : try usable(self.stamp())
        }
        var stamped: [PageStamp.File] = []
        for file in files {
            let target = "\(staging)/\(file.path)", name = file.id.description
            if let same = old[file.path], same.blob == name {
                try onDisk(subject) { () throws(FileError) in
                    try Files.link("\(directory)/\(file.path)", as: target)
                }
                stamped.append(same)
            } else {
                let bytes = try blob(file.id)
                // Not to be changed in place: versions share the file.
                try onDisk(subject) { () throws(FileError) in try Files.create(target, bytes, mode: 0o444) }
                stamped.append(PageStamp.File(path: file.path, blob: name, size: bytes.count))
            }
        }
        let stamp = PageStamp(commit: commit.description, tree: tree.description, files: stamped)
        try onDisk(subject) { () throws(FileError) in
            try Files.create("\(staging)/\(PageStamp.name)", stamp.bytes, mode: 0o444)
            faults.reach("exchange directory")
            try exchange()
            faults.reach("remove old directory")
            try Files.removeTree(staging)
        }
    }

    /// Removes what a broken-off change of the directory left.
    func cleanUp() throws(FileError) {
        try Files.removeTree(staging)
        try Files.removeTree(staging + ".old")
    }

    /// Says that the directory, whose files stay as they are, equals another commit.
    func restamp(_ old: PageStamp, commit: ObjectID) throws(FileError) {
        let stamp = PageStamp(commit: commit.description, tree: old.tree, files: old.files)
        faults.reach("write stamp")
        try Files.replace(stampFile, stamp.bytes, mode: 0o444, scratch: stampFile + ".new")
    }

    /// Removes the directory, and those above it that are then empty.
    func remove() throws(FileError) {
        guard try Files.information(directory) != nil else { return }
        try Files.makeDirectories(Files.directory(of: staging))
        faults.reach("move directory away")
        try Files.rename(directory, to: staging)
        try Files.removeTree(staging)
        let namespace = Files.directory(of: directory)
        if try Files.removeEmptyDirectory(namespace) {
            try Files.removeEmptyDirectory(Files.directory(of: namespace))
        }
    }

    /// The files that are as the stamp says, by path.
    private func usable(_ stamp: PageStamp?) throws(FileError) -> [String: PageStamp.File] {
        var usable: [String: PageStamp.File] = [:]
        for file in stamp?.files ?? [] {
            guard PageFiles.isAllowed(file.path), let information = try Files.information("\(directory)/\(file.path)"),
                information.kind == .file, information.size == file.size
            else { continue }
            usable[file.path] = file
        }
        return usable
    }

    private func exchange() throws(FileError) {
        try Files.makeDirectories(Files.directory(of: directory))
        guard try Files.information(directory) != nil else { return try Files.rename(staging, to: directory) }
        if try Files.exchange(staging, directory) { return }
        // A file system that cannot exchange: for a moment there is no directory, and a reader asks again.
        let old = staging + ".old"
        try Files.rename(directory, to: old)
        try Files.rename(staging, to: directory)
        try Files.removeTree(old)
    }
}
