internal import TalkPages
internal import TalkStore

/// A new topic as the edit that posts it.
///
/// It is sent as an extension of the page's last section with the base revision, which guards it against a second copy
/// like a reply; `section=new` does not. A page that is not there is made by it.
struct TopicDraft {
    let entry: OutboxEntry
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki

    private var title: String { wiki.localTitle(of: entry.page) }
    private var heading: String { entry.reply.heading ?? "" }

    /// Makes the edit; nothing is saved on the wiki.
    func make() async throws(TalkError) -> PostDraft {
        let check = try await api.check(titles: [title]).first
        if check?.isRedirect == true {
            let target = try? await api.redirect(from: title)?.title
            throw TalkError(.invalid, "\(title) is a redirect now\(target.map { ", to \($0)" } ?? "")")
        }
        return entry.reply.base.rawValue > 0 ? try await extending() : try await creating(check)
    }

    private func creating(_ check: PageCheck?) async throws(TalkError) -> PostDraft {
        guard let check, check.status == .missing else {
            throw TalkError(.busy, "\(title) has been made meanwhile", hint: "try again: git talk sync")
        }
        let text = try topic(below: "")
        let shown = try await checked(text, old: [])
        // Another one who makes the page is found by `createonly`, and who deleted it since by the time.
        return draft(
            text, on: .title(title), section: nil, base: nil, started: check.serverTime, existence: .mustNotExist,
            shown,
            AddedLines(from: "", to: text))
    }

    private func extending() async throws(TalkError) -> PostDraft {
        let base = entry.reply.base
        let threads = PageThreads(store: store, wiki: wiki)
        let old = try threads.items(
            of: try await PostDraft.content(of: entry.page, at: base, store), title: title)
        let source = try await api.wikitext(of: base)
        let sections = WikitextSections(source.text, tags: wiki.wikitextTags)
        // Where the wiki counts sections otherwise the whole page is sent.
        let isCountedAlike = sections.agree(with: try await api.parse(revision: base).sections)
        let last = isCountedAlike ? sections.sections.last?.index : nil
        let changed = try topic(below: last.flatMap { sections.text(of: $0) } ?? source.text)
        guard let whole = last.map({ sections.replacing($0, with: changed) }) ?? changed else {
            throw TalkError(.internal, "the last section of \(title) cannot be replaced")
        }
        let shown = try await checked(whole, old: old)
        return draft(
            changed, on: .id(source.revision.page), section: last, base: base, started: source.serverTime,
            existence: .mustExist, shown,
            AddedLines(from: source.text, to: whole))
    }

    /// The last section's text with the topic below it.
    private func topic(below last: String) throws(TalkError) -> String {
        let context = ReplyComposer(store: store, wiki: wiki).context(account: entry.account)
        switch try NewTopicText.appending(title: heading, text: entry.reply.text, to: last, context: context) {
        case .placed(let text): return text
        case .refused(let reason): throw TalkError(.invalid, reason)
        case .notFound, .ambiguous: throw TalkError(.internal, "a topic has no target")
        }
    }

    /// The items that the wiki's own rendering of the whole text has beside the old ones, and its clock.
    private func checked(
        _ text: String, old: [ThreadItem]
    ) async throws(TalkError) -> (items: [ThreadItem], serverTime: Int64?) {
        let preview = try await api.parsePreview(wikitext: text, title: title)
        let content = try CanonicalPage.content(of: preview.html, wiki: wiki)
        let new = try PageThreads(store: store, wiki: wiki).items(of: content, title: title)
        if let problem = PlacementCheck.problem(old: old, new: new, topicBy: entry.account) {
            throw TalkError(.invalid, "the topic does not fit into the page's wikitext: \(problem)")
        }
        return (Array(new[old.count...]), preview.serverTime)
    }

    private func draft(
        _ text: String, on page: EditRequest.Page, section: Int?, base: RevisionID?, started: Int64?,
        existence: EditRequest.Existence,
        _ shown: (items: [ThreadItem], serverTime: Int64?), _ added: AddedLines?
    ) -> PostDraft {
        PostDraft(
            request: EditRequest(
                page: page, section: section, text: text, summary: EditSummary.newTopic(heading: heading),
                base: base, started: started, existence: existence, account: entry.account),
            serverTime: shown.serverTime ?? started, shown: shown.items, added: added)
    }
}
