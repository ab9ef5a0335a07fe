internal import TalkPages
internal import TalkStore

extension Verb {
    static let evict = Verb(
        "evict", .maintain, "Drop cached pages and free their disk space", synopsis: "[<page>…]",
        details: """
            A page that is named goes, whatever keeps it: a bookmark is taken off, and the next pull does not bring it back.
            Only a page with replies that wait stays. What was set aside keeps its text.

            Without a page, those go that nothing keeps: pages that were not pulled by name, have no bookmark, no history, no
            reply that waits or was set aside unseen, and are not among the last ones that you looked at (talk.keep in the
            store's configuration, 10). Every pull and sync does the same, but for the pages that it brought.

            The store is then packed with git, so that the disk is really free.
            """,
        examples: ["git talk evict Talk:Bridge", "git talk evict"]
    ) { arguments, context in
        let store = try context.store()
        return try await EvictRun(context: context, store: store).run(arguments.positional)
    }
}

/// Pages that go now, and what that freed.
private struct EvictRun {
    let context: Context
    let store: Store

    private var objects: Int { get throws(TalkError) { try store.packing().bytes } }

    func run(_ typed: [String]) async throws -> ExitCode {
        var errors: [(error: TalkError, page: String?)] = []
        let before = try objects
        var files = 0
        let evicted: [PageName]
        if typed.isEmpty {
            let limit = try store.configuration().number(.keep)
            let pages = try await store.keeping(limit: limit).filter(\.reasons.isEmpty).map(\.page)
            files = try pages.reduce(0) { try $0 + (store.reader.size(of: $1) ?? 0) }
            evicted = pages.isEmpty ? [] : try await store.evict(pages).evicted
        } else {
            let pages = named(typed, &errors)
            files = try pages.reduce(0) { try $0 + (store.reader.size(of: $1) ?? 0) }
            evicted = try await evict(pages, &errors)
        }
        do throws(TalkError) {
            // Also what an eviction that was stopped, or had no git, left to do.
            let isLittered = try store.packing().garbage > 0
            if !evicted.isEmpty || isLittered { try await store.collectGarbage(context.git) }
        } catch {
            let error = TalkError(
                error.kind, "the pages are dropped, but their disk space is not free yet: \(error.message)",
                hint: error.hint.map { "\($0); then: git talk evict" }, underlying: error)
            context.terminal.tell(error)
            errors.append((error, nil))
        }
        let freed = max(0, before - (try objects)) + files
        if context.isJSON {
            let output = EvictOutput(
                errors: errors.map { ErrorOutput($0.error, page: $0.page, wiki: nil) },
                evicted: evicted.map { EvictOutput.Page(page: $0.prefixedTitle, wiki: $0.wiki) }, freed: freed)
            context.terminal.write(try JSONOutput.text(output))
        } else if evicted.isEmpty {
            if errors.isEmpty { context.note("there is nothing to drop") }
        } else {
            for page in evicted { context.terminal.write("\(TerminalText.safe(page.prefixedTitle)): dropped\n") }
            context.terminal.write(
                "\(TimeText.count(evicted.count, "page")) dropped, \(SizeText.words(freed)) freed\n")
        }
        return ExitCode(gravestOf: errors.map { ExitCode($0.error.kind) })
    }

    private func named(_ typed: [String], _ errors: inout [(error: TalkError, page: String?)]) -> [PageName] {
        var pages: [PageName] = []
        for name in typed {
            do throws(TalkError) {
                let page = try context.page(name, store.reader).page
                if !pages.contains(page) { pages.append(page) }
            } catch {
                context.terminal.tell(error)
                errors.append((error, name))
            }
        }
        return pages
    }

    private func evict(
        _ pages: [PageName], _ errors: inout [(error: TalkError, page: String?)]
    ) async throws(TalkError) -> [PageName] {
        // First, so that no pull brings back what a program that was stopped had dropped.
        var waiting = Set(try store.outbox().entries.filter(\.state.isPending).map(\.page))
        waiting.formUnion(try await store.pagesWithPendingReplies())
        let freed = Set(try await store.bookmark(pages.filter { !waiting.contains($0) }, false))
        if !freed.isEmpty {
            let titles = freed.map(\.prefixedTitle).sorted().joined(separator: ", ")
            context.note("git-talk: no longer bookmarked: \(titles)")
        }
        let eviction = try await store.evict(pages)
        for (page, error) in eviction.refusals {
            context.terminal.tell(error)
            errors.append((error, page.prefixedTitle))
        }
        for page in eviction.missing where !freed.contains(page) {
            let error = TalkError(.notFound, "\(page) is not cached", hint: "git talk list")
            context.terminal.tell(error)
            errors.append((error, page.prefixedTitle))
        }
        return eviction.evicted
    }
}

/// `git talk evict --json`, schema `Schema/cli/evict.schema.json`.
private struct EvictOutput: Encodable {
    struct Page: Encodable {
        let page: String
        let wiki: String
    }

    let schema = 1
    let errors: [ErrorOutput]
    let evicted: [Page]
    let freed: Int
}
