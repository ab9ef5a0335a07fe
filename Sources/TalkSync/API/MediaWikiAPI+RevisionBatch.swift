internal import TalkPages

extension MediaWikiAPI {
    /// What the wiki says of revisions by number, 50 a request; those that it does not have are named.
    func revisions(
        ids: [RevisionID], withText: Bool = false
    ) throws(TalkError) -> (found: [RevisionID: RevisionInfo], missing: Set<RevisionID>) {
        var found: [RevisionID: RevisionInfo] = [:]
        var missing: Set<RevisionID> = []
        for start in stride(from: 0, to: ids.count, by: 50) {
            let batch = ids[start..<min(start + 50, ids.count)].map(\.description).joined(separator: "|")
            var more = Continuation("revisions by number")
            var isMore = false
            repeat {
                let before = found.count + missing.count
                let answer = try callOrExplain(
                    [
                        ("action", "query"), ("prop", "revisions"), ("revids", batch),
                        (
                            "rvprop",
                            withText ? Self.revisionProperties + "|content" : "ids|timestamp|user|comment|sha1|flags"
                        ),
                        ("rvslots", "main"),
                    ] + more.parameters)
                for page in answer["query"]?["pages"]?.elements ?? [] {
                    guard let id = page["pageid"]?.integer else { continue }
                    for value in page["revisions"]?.elements ?? [] {
                        guard let info = RevisionInfo(value, page: PageID(rawValue: id)) else { continue }
                        found[info.id] = info
                    }
                }
                let bad = answer["query"]?["badrevids"]
                for value in bad?.elements ?? (bad?.members).map({ Array($0.values) }) ?? [] {
                    if let id = value["revid"]?.integer { missing.insert(RevisionID(rawValue: id)) }
                }
                isMore = try more.goesOn(after: answer, isFruitful: found.count + missing.count > before)
            } while isMore
        }
        return (found, missing)
    }
}
