internal import TalkGit
internal import TalkPages

/// A mark for each page whose state does not keep it, so that the few of a large store are found without reading all states.
///
/// A mark is set before the state says so and removed after it says otherwise: one too many is harmless. All of them can
/// be made again from the states; until that is done to the end, they count for nothing.
struct UnkeptMarks {
    let layout: StoreLayout

    /// No component of a page begins with a dot.
    private var end: String { "\(layout.unkept)/.whole" }

    /// The marked pages as `<wiki>/<Namespace>/<title>`; nil while pages may lack their marks.
    func all() throws(FileError) -> [String]? {
        guard try Files.information(end) != nil else { return nil }
        var pages: [String] = []
        for wiki in try Files.list(layout.unkept) ?? [] where !wiki.utf8.starts(with: ".".utf8) {
            for namespace in try Files.list("\(layout.unkept)/\(wiki)") ?? [] {
                for title in try Files.list("\(layout.unkept)/\(wiki)/\(namespace)") ?? [] {
                    pages.append("\(wiki)/\(namespace)/\(title)")
                }
            }
        }
        return pages
    }

    func set(_ page: PageName, _ isMarked: Bool) throws(FileError) {
        let path = layout.unkept(page)
        guard isMarked else { return try Files.remove(path) }
        guard try Files.information(path) == nil else { return }
        try Files.makeDirectories(Files.directory(of: path))
        do throws(FileError) { try Files.create(path, [], mode: 0o600) } catch {
            guard error.isExisting else { throw error }
        }
    }

    /// Says that every page has its mark.
    func finish() throws(FileError) {
        try Files.makeDirectories(layout.unkept)
        do throws(FileError) { try Files.create(end, [], mode: 0o600) } catch {
            guard error.isExisting else { throw error }
        }
    }
}

extension PageState {
    /// Whether the page goes when too many others were visited later, unless something else keeps it.
    var isUnkept: Bool { !isKept && history == nil }
}
