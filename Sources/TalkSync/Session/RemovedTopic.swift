public import TalkPages

/// A topic that is no longer on a page, and what can be said of its removal.
public struct RemovedTopic: Hashable, Sendable {
    /// The heading as it was.
    public var heading: ThreadItem
    /// The revision that removed it; nil when it is one of several that were not fetched.
    public var revision: RevisionID?
    /// Who saved that revision; nil when that is not known or hidden.
    public var user: String?
    /// When it was saved, seconds since 1970.
    public var timestamp: Int64?
    /// The page that the summary of that revision links to, as when a topic is archived; nil when it links to none.
    public var destination: PageName?

    /// Names the topics that are gone between a revision and the newest of the revisions after it.
    ///
    /// `later` are those after the first one that are at hand, oldest first, the newest last.
    static func find(
        from old: [ThreadItem], at revision: RevisionID?, in later: [(record: RevisionRecord, items: [ThreadItem])],
        page: PageName, wiki: Wiki
    ) -> [RemovedTopic] {
        guard let newest = later.last else { return [] }
        let gone = removed(from: old, to: newest.items)
        if gone.isEmpty { return [] }
        // A topic may have been removed, restored and removed again: the last time counts.
        var remover: [Int: Int] = [:]
        for index in later.indices.reversed() {
            let absent = index == later.count - 1 ? gone : removed(from: old, to: later[index].items)
            for topic in gone where remover[topic, default: index + 1] == index + 1 && absent.contains(topic) {
                remover[topic] = index
            }
        }
        return gone.sorted().map { topic in
            var result = RemovedTopic(heading: old[topic])
            guard let index = remover[topic] else { return result }
            let record = later[index].record
            // Between two that are not neighbours, somebody else may have been it.
            let before = index == 0 ? revision : later[index - 1].record.id
            guard record.parent == before else { return result }
            result.revision = record.id
            result.user = record.user
            result.timestamp = record.timestamp
            result.destination = record.summary.flatMap { destination(in: $0, from: page, wiki: wiki) }
            return result
        }
    }

    /// Indices of the topics of `old` that `new` has not.
    private static func removed(from old: [ThreadItem], to new: [ThreadItem]) -> Set<Int> {
        let changes = DiscussionDiff(from: old, to: new).changes
        return Set(
            changes.filter { $0.kinds == [.removed] && $0.old?.isTopic == true }.compactMap(\.oldIndex))
    }

    /// The first other page that a summary links to: “Archiving 2 topics to [[Talk:Bridge/Archive 1]]”.
    static func destination(in summary: String, from page: PageName, wiki: Wiki) -> PageName? {
        for part in summary.split(separator: "[[", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstRange(of: "]]") else { continue }
            let target = part[..<end.lowerBound].prefix { $0 != "|" && $0 != "#" }
            let title = target.hasPrefix("/") ? "\(wiki.localTitle(of: page))\(target)" : String(target)
            guard let named = try? TitleParser.parse(title, wiki: wiki).page, named != page else { continue }
            if named.namespace == page.namespace, named.title.hasPrefix(page.title + "/") { return named }
            // The summary of a revert links to the users.
            let isUser = named.namespace == "User talk" && !named.title.contains("/")
            if wiki.isTalkPage(named), !isUser { return named }
        }
        return nil
    }
}
