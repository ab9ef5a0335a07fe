internal import TalkPages
internal import TalkStore

extension Verb {
    static let show = Verb(
        "show", .read, "Show a cached page as indented threads", synopsis: "<page>[@<revision>][#<topic>]",
        details: """
            Works without network. The second line says how fresh the page is. The code behind a comment is what
            'git talk reply' takes. Page@<revision> is the page as it was in a cached revision ('git talk log' lists them).
            """,
        examples: [
            "git talk show User_talk:Example", "git talk show 'Talk:Bridge#Width of the arch'",
            "git talk show Talk:Bridge@1234",
        ]
    ) { arguments, context in
        try arguments.expect(1...1, "page")
        let store = try context.store()
        let (named, id) = try context.pageAndRevision(arguments.positional[0], store.reader)
        var revision: CachedRevision?
        if let id { revision = try await CachedRevision.find(id, of: named, store) }
        let reader = PageThreads(store: store, wiki: named.wiki)
        let threads =
            if let revision { try await reader.threads(at: revision.stored, of: named.page) } else {
                try await CachedThreads.current(of: named, store, context)
            }
        let state = try store.state(of: named.page)
        store.visit(named.page, at: context.now)
        let codes = ItemSelection.codes(threads.items)
        var range = threads.items.indices
        if let fragment = named.fragment {
            guard let topic = ItemSelection.topic(fragment, in: threads.items) else {
                throw TalkError(
                    .notFound, "\(named.page) has no topic “\(fragment)”",
                    hint: "git talk show \(ShellWord.quoted(named.page.prefixedTitle + (id.map { "@\($0)" } ?? "")))")
            }
            range = topic
        }
        if context.isJSON {
            let output = ShowOutput(named, threads, state, codes, range)
            context.terminal.write(try JSONOutput.text(output))
        } else {
            let text = ThreadText(style: context.style, width: context.width, codes: codes)
            let status = revision?.words(context.style) ?? Freshness.words(threads, state, now: context.now)
            context.show(
                Freshness.header(named, threads, state, status, context) + text.text(threads.items, range)
                    + (try await reader.silence(of: threads, range, named, store)))
        }
        return .done
    }
}

/// How fresh a cached page is, in words.
enum Freshness {
    /// The title and `status`, which says which revision it is, and what waits.
    static func header(
        _ named: NamedPage, _ threads: DerivedThreads, _ state: PageState?, _ status: String, _ context: Context
    ) -> String {
        let title = context.style.page(state?.displayTitle ?? named.wiki.localTitle(of: named.page))
        var lines = [context.style.bold(title) + context.style.dim("  " + named.wiki.key)]
        lines.append(status)
        let pending = threads.items.count { $0.pending != nil && $0.kind == .comment }
        if pending > 0 {
            lines.append(
                context.style.yellow(
                    "\(TimeText.count(pending, "pending reply waits", "pending replies wait")) for git talk sync"))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func words(_ threads: DerivedThreads, _ state: PageState?, now: Int64) -> String {
        var text = threads.revision.map { "cached: revision \($0)" } ?? "nothing of it is cached but what is pending"
        if let time = threads.revisionTime { text += " of \(TimeText.minute(time))" }
        if let user = threads.revisionUser { text += " by \(TerminalText.safe(user))" }
        if let checked = state?.checked {
            text += "; checked \(TimeText.ago(checked, now: now))"
            if let target = state?.movedTo {
                text += ": the page was moved to \(TerminalText.safe(target.prefixedTitle))"
            } else if state?.isMissing == true {
                text += ": the page \(threads.revision == nil ? "does not exist" : "no longer exists") on the wiki"
            } else if let latest = state?.latest, latest != threads.revision {
                text += ": the wiki has revision \(latest)"
            }
        } else {
            text += "; never checked"
        }
        if let failure = state?.failure { text += "; the last try failed: \(TerminalText.safe(failure))" }
        return text
    }
}

extension PageThreads {
    /// What stands in place of comments where there are none.
    fileprivate func silence(
        of threads: DerivedThreads, _ range: Range<Int>, _ named: NamedPage, _ store: Store
    ) async throws(TalkError) -> String {
        let items = threads.items[range]
        if items.contains(where: { $0.kind == .comment }) { return "" }
        let place = named.fragment == nil ? "on this page" : "in this topic"
        guard let content = try await store.content(of: named.page, tree: threads.treeID) else {
            return "\n(no comments \(place))\n"
        }
        let pending = Set(threads.items.compactMap(\.pending))
        let loose = try looseText(of: content, title: named.wiki.localTitle(of: named.page), pending: pending)
        let hasText =
            named.fragment == nil ? !loose.isEmpty : items.contains { $0.file.map { loose[$0] != nil } == true }
        let isEmpty = content.sections.isEmpty && content.lede.allSatisfy(\.isWhitespace)
        if isEmpty { return "\n(nothing \(place))\n" }
        return "\n(no comments \(place)\(hasText ? "; it has text that nobody signed" : ""))\n"
    }
}

/// `git talk show --json`, schema `Schema/cli/show.schema.json`.
private struct ShowOutput: Encodable {
    struct Item: Encodable {
        let author: String?
        let code: String
        let headingLevel: Int?
        let id: String
        let kind: String
        let level: Int
        let name: String
        let parent: String?
        let pending: String?
        /// With a line a block, list marks and alternative texts; left out when it is `text`.
        let readableText: String?
        let text: String
        let timestamp: String?
    }

    let schema = 1
    let checked: String?
    let failure: String?
    let items: [Item]
    let language: String?
    let latestRevision: Int64?
    let missing: Bool
    let movedTo: String?
    let page: String
    let revision: Int64?
    let revisionTime: String?
    let revisionUser: String?
    let rightToLeft: Bool
    let title: String
    let wiki: String

    init(_ named: NamedPage, _ threads: DerivedThreads, _ state: PageState?, _ codes: [String], _ range: Range<Int>) {
        checked = state?.checked.map(TimeText.iso)
        failure = state?.failure
        language = state?.language
        latestRevision = state?.latest?.rawValue
        missing = state?.isMissing ?? false
        movedTo = state?.movedTo?.prefixedTitle
        page = named.page.prefixedTitle
        revision = threads.revision?.rawValue
        revisionTime = threads.revisionTime.map(TimeText.iso)
        revisionUser = threads.revisionUser
        rightToLeft = state?.isRightToLeft ?? false
        title = state?.displayTitle ?? named.wiki.localTitle(of: named.page)
        wiki = named.wiki.key
        items = range.map { index in
            let item = threads.items[index]
            return Item(
                author: item.knownAuthor, code: codes[index], headingLevel: item.headingLevel, id: item.id,
                kind: item.kind.rawValue, level: item.level, name: item.name,
                parent: item.parent.map { threads.items[$0].id }, pending: item.pending,
                readableText: item.readableText, text: item.text,
                timestamp: item.timestamp.map(TimeText.iso))
        }
    }
}
