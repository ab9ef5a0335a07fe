internal import TalkPages
internal import TalkStore

/// What a command that pulled ends with: pages that nothing keeps are dropped, and the store is packed where that is due.
struct Upkeep {
    let context: Context
    let store: Store

    /// Does what can be done while nobody else is at work on the store; the pages that the command brought stay.
    ///
    /// What is wrong is told and given. Without git there is no packing, which makes a store slower, not wrong.
    func run(sparing pages: Set<PageName>) async -> TalkError? {
        do throws(TalkError) {
            let limit = try store.configuration().number(.keep)
            let evicted = try await store.evictUnkept(
                limit: limit, sparing: pages, estimatingWith: context.git, wait: 0)
            if !evicted.isEmpty {
                let titles = evicted.prefix(5).map(\.prefixedTitle).joined(separator: ", ")
                let more = evicted.count > 5 ? " and \(evicted.count - 5) more" : ""
                context.note("git-talk: dropped, since nobody looked at them for a while: \(titles)\(more)")
            }
            try await store.packIfDue(context.git)
            return nil
        } catch {
            if error.kind == .busy || error.kind == .missingProgram { return nil }
            context.terminal.tell(error)
            return error
        }
    }
}
