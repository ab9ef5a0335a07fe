internal import Synchronization
internal import TalkPages
internal import TalkStore

/// What a round of `sync --watch` asks and tells the watch that it belongs to.
final class WatchRound: Sendable {
    private let schedule: Mutex<WatchSchedule>
    private let lines: EventLines
    private let context: Context
    private let store: Store

    init(schedule: WatchSchedule, lines: EventLines, context: Context, store: Store) {
        self.schedule = Mutex(schedule)
        self.lines = lines
        self.context = context
        self.store = store
    }

    /// What stands for the work that belongs to no wiki.
    private static let store = ""

    private var wikis: [String] { ((try? store.wikis()) ?? []).map(\.key) }

    /// Whether there is anything to do now.
    var isDue: Bool {
        let wikis = wikis, now = context.now
        return schedule.withLock { schedule in
            schedule.isDue(Self.store, at: now) && wikis.contains { schedule.isDue($0, at: now) }
        }
    }

    /// Seconds until there is.
    var wait: Int64 {
        let wikis = wikis, now = context.now
        return schedule.withLock { schedule in
            max(schedule.wait(for: wikis, at: now), schedule.wait(for: [Self.store], at: now))
        }
    }

    /// Begins with a wiki, or with what belongs to none; false when its time has not come.
    func begins(_ wiki: String) -> Bool {
        if context.surroundings.background.isStopped() { return false }
        let now = context.now
        guard wiki == Self.store || schedule.withLock({ $0.isDue(wiki, at: now) }) else { return false }
        lines.begin(wiki)
        return true
    }

    /// Notes how it ended.
    func ended(_ wiki: String, _ failure: TalkError?) {
        let now = context.now
        if wiki == Self.store {
            schedule.withLock { _ = $0.ended(wiki, failure, next: failure == nil ? now : nil, at: now) }
            return
        }
        let waiting = ((try? store.outbox().entries) ?? []).filter { $0.page.wiki == wiki && $0.state.isPending }
        let next = waiting.compactMap(\.pause?.until).filter { $0 > now }.min()
        if schedule.withLock({ $0.ended(wiki, failure, next: next, at: now) }) {
            context.note("git-talk: \(wiki) answers again")
        }
    }
}
