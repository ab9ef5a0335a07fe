internal import TalkPages

/// Looks where a comment went that is no longer on its page, for the reason why a reply was set aside.
struct TargetSearch: Sendable {
    let api: MediaWikiAPI
    let wiki: Wiki
    let page: PageName
    let removed: [RemovedTopic]

    /// Where the comment or topic is now, and that in words that go on after a reason; nil when nothing tells.
    ///
    /// DiscussionTools is asked where the wiki has it, since that knows the comment itself; else the summary of the edit
    /// that took the topic away says where it went.
    func place(_ items: [ThreadItem], _ index: Int) async -> PendingFitting.Place? {
        let item = items[index], topic = Self.topic(of: index, in: items)
        let gone = removed.first { $0.heading.id == topic?.id } ?? removed.first { $0.heading.text == topic?.text }
        let by = gone.flatMap { gone in
            gone.revision.map { " (moved by \(gone.user ?? "somebody") in revision \($0))" }
        }
        if wiki.hasDiscussionTools, let found = try? await api.findComment(item.name, besides: page, of: wiki) {
            return (found, "it is on \(wiki.localTitle(of: found)) now\(by ?? "")")
        }
        guard let destination = gone?.destination else { return nil }
        return (destination, "its topic went to \(wiki.localTitle(of: destination))\(by ?? "")")
    }

    /// The topic that an item belongs to: the uppermost heading above it.
    private static func topic(of index: Int, in items: [ThreadItem]) -> ThreadItem? {
        var current = index
        while let parent = items[current].parent, parent < current { current = parent }
        return items[current].kind == .heading ? items[current] : nil
    }
}

extension MediaWikiAPI {
    /// The one other page on which a comment with this name stands now, by the index of permanent links that
    /// DiscussionTools has since 1.41; nil when there is none, or several.
    func findComment(_ name: String, besides page: PageName, of wiki: Wiki) throws(TalkError) -> PageName? {
        let answer = try callOrExplain([("action", "discussiontoolsfindcomment"), ("idorname", name)])
        var pages: [PageName] = []
        for found in answer["discussiontoolsfindcomment"]?.elements ?? [] {
            // With a revision it is one that stood there once.
            guard found["oldid"]?.integer == nil, let title = found["title"]?.text,
                let named = try? TitleParser.parse(title, wiki: wiki).page, named != page, !pages.contains(named)
            else { continue }
            pages.append(named)
        }
        return pages.count == 1 ? pages[0] : nil
    }
}
