internal import TalkPages
internal import TalkStore

/// What follows when something was queued: nothing, or with `talk.sync` set to `auto` one attempt to post it.
struct AutomaticSync {
    let context: Context
    let store: Store
    private let isOn: Bool

    /// Reads the setting, before anything is queued; throws `invalid` for a word that it cannot be.
    init(_ context: Context, _ store: Store) throws(TalkError) {
        self.context = context
        self.store = store
        isOn = try store.reader.configuration.word(.sync) == "auto"
    }

    /// Tries to post what waits on a page.
    ///
    /// It is queued whatever comes of this: what goes wrong is told, and is no failure of the command. A wiki in trouble
    /// is asked once.
    func run(_ page: PageName) async {
        guard isOn else { return }
        var hasty = context
        hasty.isHasty = true
        do {
            _ = try await SyncRun(context: hasty, store: store, page: page).run()
        } catch {
            context.note("git-talk: it stays in the queue: \(error)\nhint: try again: git talk sync")
        }
    }
}
