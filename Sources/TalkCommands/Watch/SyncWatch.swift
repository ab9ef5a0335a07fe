internal import TalkPages
internal import TalkStore
internal import TalkSync

/// `git talk sync --watch`: one round after another, until the program is told to stop.
///
/// Whether there is a network is found out by trying. What happens is said once, not in each round, and nothing counts as
/// seen by a person.
struct SyncWatch {
    let context: Context
    let store: Store
    /// Seconds between two rounds for a wiki that answers.
    let interval: Int64

    static let option = Option("watch", "go on until you interrupt it, every 5 minutes or as often as you say")
    static let help = """
        With --watch it goes on by itself: every 5 minutes, or as often as you say (90s, 10m, 2h; a minute at least). A
        wiki that cannot be reached, and a reply that it cannot take now, are tried again after pauses that grow from 5
        seconds to 15 minutes; 'git talk sync' tries at once. It says what happens, once. An interrupt ends it when the
        request under way is answered, a second one at once.
        """
    private static let usual: Int64 = 300
    private static let least: Int64 = 60
    /// A clock that is set, or a machine that slept, is noticed after so many seconds.
    private static let longestWait: Int64 = 60

    /// Seconds between two rounds; nil when it is to be one round alone.
    static func interval(_ arguments: Arguments) throws -> Int64? {
        guard arguments.has("watch") else {
            try arguments.expect(0...0, "")
            return nil
        }
        try arguments.expect(0...1, "")
        if arguments.has("json") { throw UsageError("'--watch' has no '--json': look with git talk outbox --json") }
        guard let text = arguments.positional.first else { return usual }
        guard let seconds = seconds(text) else {
            throw UsageError("'--watch \(text)': give a number of seconds, or one with s, m or h, like 10m")
        }
        return max(seconds, least)
    }

    /// A time like `90`, `90s`, `10m`, `2h`.
    private static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? text : String(text.dropLast())), (1...604_800).contains(number) else {
            return nil
        }
        return number * (unit ?? 1)
    }

    func run() async throws -> ExitCode {
        let background = context.surroundings.background
        background.begin()
        let lines = EventLines(context.terminal)
        let quiet = context.with(lines.terminal)
        let watch = WatchRound(
            schedule: WatchSchedule(interval: interval, backoff: SendBackoff(chance: context.surroundings.chance)),
            lines: lines, context: quiet, store: store)
        while !background.isStopped() {
            do {
                if watch.isDue { _ = try await SyncRun(context: quiet, store: store, watch: watch).run() }
                watch.ended("", nil)
            } catch let error as TalkError {
                // Another program that sends, a full disk: that passes.
                guard error.kind != .damaged, error.kind != .internal else { throw error }
                quiet.terminal.tell(error)
                watch.ended("", error)
            }
            if background.isStopped() { break }
            await background.wait(Double(min(watch.wait, Self.longestWait)))
        }
        return .done
    }
}
