internal import TalkPages
internal import TalkStore

/// A cached revision of a page that a user named by its number.
struct CachedRevision {
    let stored: StoredRevision
    /// The newest one of the page.
    let newest: RevisionID

    /// Looks it up; throws `notFound` with what is cached instead.
    static func find(_ id: RevisionID, of named: NamedPage, _ store: Store) async throws(TalkError) -> CachedRevision {
        let records = try await store.records(of: named.page)
        guard let last = records.last else {
            throw TalkError(
                .notFound, "\(named.page) is not cached",
                hint: "git talk pull \(ShellWord.quoted(named.wiki.url(of: named.page)))")
        }
        return CachedRevision(
            stored: try await find(id, in: records, of: named, store),
            newest: try store.state(of: named.page)?.newest ?? last.record.id)
    }

    /// The one of `records`, which are those of the page, oldest first; throws `notFound` when it is not among them.
    static func find(
        _ id: RevisionID, in records: [StoredRevision], of named: NamedPage, _ store: Store
    ) async throws(TalkError) -> StoredRevision {
        if let found = records.last(where: { $0.record.id == id }) { return found }
        let log = "see what is cached: git talk log \(ShellWord.quoted(named.page.prefixedTitle))"
        if let parts = try await store.purged(of: named.page)[id], parts.isWhole {
            throw TalkError(
                .notFound, "revision \(id) of \(named.page) was purged here or on another machine",
                hint: log)
        }
        let isNewer = records.allSatisfy { $0.record.id < id }
        throw TalkError(
            .notFound, "revision \(id) of \(named.page) is not cached; cached are \(words(records.map(\.record.id)))",
            hint: "git talk pull \(isNewer ? "" : "--history all ")\(ShellWord.quoted(named.wiki.url(of: named.page)))")
    }

    /// The newest few of them, and how many more there are.
    static func words(_ ids: [RevisionID]) -> String {
        let shown = ids.suffix(5)
        let more = ids.count > shown.count ? " and \(ids.count - shown.count) more" : ""
        return shown.map(\.description).joined(separator: ", ") + more
    }

    /// What it is, for the head of a page.
    func words(_ style: Style) -> String {
        let record = stored.record
        let user = record.user.map(style.page) ?? "(user hidden)"
        return "revision \(record.id) of \(TimeText.minute(record.timestamp)) by \(user); "
            + (record.id == newest ? "the newest that is cached" : "not the newest, which is \(newest)")
    }
}

extension RevisionID {
    /// The number that somebody typed; nil for anything else.
    init?(typed text: Substring) {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(text) else { return nil }
        self.init(rawValue: number)
    }
}

extension Context {
    /// The page that `typed` names, and the revision when it ends like `Page@123` or `Page@123#topic`.
    ///
    /// A title may have that in it, too; then the page is cached under it.
    func pageAndRevision(_ typed: String, _ reader: PageReader) throws(TalkError) -> (NamedPage, RevisionID?) {
        let named = try page(typed, reader)
        let end = typed.firstIndex(of: "#") ?? typed.endIndex
        guard let at = typed[..<end].lastIndex(of: "@"),
            let id = RevisionID(typed: typed[typed.index(after: at)..<end]), try reader.stamp(of: named.page) == nil
        else { return (named, nil) }
        return (try page(String(typed[..<at] + typed[end...]), reader), id)
    }
}
