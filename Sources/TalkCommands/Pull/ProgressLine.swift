internal import TalkPages
internal import TalkSync

/// The line on a terminal that says how far a pull is; elsewhere there is none.
struct ProgressLine: Sendable {
    private let isShown: Bool
    private let write: @Sendable (String) -> Void
    private let milliseconds: @Sendable () -> Int64
    private let start: Int64
    private let subject: String
    private let pages: Int
    /// How many pages are done.
    var done = 0

    /// Makes a line for so many pages, of the wiki that is named where it matters.
    init(_ context: Context, pages: Int, of wiki: String? = nil) {
        isShown = context.terminal.isErrorInteractive
        write = context.terminal.writeError
        milliseconds = context.surroundings.milliseconds
        start = isShown ? milliseconds() : 0
        subject = wiki.map { "\($0): " } ?? ""
        self.pages = pages
    }

    /// Shows a step of the page that is worked on.
    @Sendable func show(_ step: PullProgress) {
        guard isShown else { return }
        let text =
            switch step {
            case .checking: "asking for the newest revision"
            case .fetching(let id, let number, let count): "fetching revision \(id) (\(number) of \(count))"
            case .writing: "writing"
            }
        show(text)
    }

    /// Shows how far the pages are, and what is done now.
    func show(_ text: String) {
        guard isShown else { return }
        write("\r\u{1B}[K\(subject)\(count)\(text)…")
    }

    /// Takes the line away.
    func clear() { if isShown { write("\r\u{1B}[K") } }

    /// Count and rate, when there is more than one page.
    private var count: String {
        guard pages > 1 else { return "" }
        let time = max(1, milliseconds() - start)
        let rate = Int64(done) * 10_000 / time
        let speed = done == 0 ? "" : ", \(rate < 100 ? "\(rate / 10).\(rate % 10)" : "\(rate / 10)") a second"
        return "\(done) of \(pages) pages\(speed); "
    }
}
