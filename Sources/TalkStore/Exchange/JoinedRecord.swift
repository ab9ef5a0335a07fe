internal import TalkGit
internal import TalkPages

/// A shared record of the store, joined with that of a remote.
struct JoinedRecord {
    let old: ObjectID?
    let own: [String: String]
    var files: [String: String]

    /// How many files are not as they were.
    var news: Int { files.count { own[$0.key] != $0.value } }
}

extension Repository {
    /// Joins a shared record of a remote with that of the store and with what else this machine knows.
    borrowing func join(
        _ record: SharedRecord, from remote: String, _ known: [String: String],
        refusing refused: inout [ExchangeTake.Refusal]
    ) throws(GitError) -> JoinedRecord {
        let old = try resolve(record.reference)
        let copy = try resolve(StoreLayout.sharedTracking(remote) + record.name)
        let own = try files(of: record, at: old)
        var joined = record.join(own, known)
        if let copy, copy != old, !refused.contains(where: { $0.name == record.reference }) {
            do throws(GitError) { joined = record.join(joined, try files(of: record, at: copy)) } catch {
                refused.append(ExchangeTake.Refusal(name: record.reference, reason: error.message))
            }
        }
        return JoinedRecord(old: old, own: own, files: joined)
    }
}

/// What was purged, by the paths of the titles' branches and by wiki.
struct Purges {
    private(set) var ofTitles: [String: [RevisionID: PurgedParts]] = [:]
    private(set) var ofWikis: [String: [RevisionID: PurgedParts]] = [:]

    init(_ files: [String: String]) {
        for (path, text) in files {
            let names = StoreLayout.names(in: path)
            guard let number = names.last.flatMap({ Int64($0) }), let wiki = StoreLayout.wiki(ofComponent: path) else {
                continue
            }
            let id = RevisionID(rawValue: number)
            let parts = PurgedParts(words: text.split(whereSeparator: \.isWhitespace))
            ofTitles[names.dropLast().joined(separator: "/"), default: [:]][id] = parts
            ofWikis[wiki, default: [:]][id, default: []].formUnion(parts)
        }
    }
}
