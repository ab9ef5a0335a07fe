internal import Synchronization
internal import TalkPages
internal import TalkStore
internal import TalkSync

/// What a round did: for the lines at its end, the exit code, and `--json`.
final class SyncReport: Sendable {
    private struct Told {
        var entry: OutboxEntry
        var outcome: SendOutcome
        var fitted: RevisionID?
        var isTold = false
    }

    private struct State {
        var codes: Set<ExitCode> = []
        var output = SyncOutput()
        var told: [Told] = []
        var pulled: Set<PageName> = []
    }

    private let state = Mutex(State())

    func add(_ code: ExitCode) { state.withLock { _ = $0.codes.insert(code) } }

    /// Adds what became of a reply.
    ///
    /// `fitted` is the revision that it was fitted to in this round. It is not `isCounted`
    /// for the exit code where an error that was added is why.
    func add(
        _ entry: OutboxEntry, _ outcome: SendOutcome, fitted: RevisionID? = nil, isCounted: Bool = true
    ) {
        // One that was found on the wiki stands in that revision already, or in an older one.
        let isFound = if let fitted, let posted = entry.postedRevision { posted <= fitted } else { false }
        let fitted = isFound ? nil : fitted
        state.withLock { state in
            state.told.append(Told(entry: entry, outcome: outcome, fitted: fitted))
            if isCounted, let code = outcome.exitCode { state.codes.insert(code) }
        }
    }

    /// Whether something was added about the reply.
    func tells(_ id: String) -> Bool { state.withLock { $0.told.contains { $0.entry.reply.id == id } } }

    /// Adds what is known of replies when writing their journals failed between two steps, on a full disk for instance;
    /// throws the error when none of them was being sent.
    func addUnrecorded(_ entries: [OutboxEntry], _ error: TalkError) throws(TalkError) {
        let unclear = entries.filter { $0.state == .sending }
        guard !unclear.isEmpty else { throw error }
        for entry in unclear { add(entry, .unknown(reason: error.message)) }
    }

    /// Adds a reply that was set aside, with the reason in its journal.
    func addSetAside(_ entry: OutboxEntry) { add(entry, .setAside(reason: entry.reason ?? "")) }

    func add(_ error: TalkError, _ wiki: Wiki) {
        state.withLock { $0.output.errors.append(ErrorOutput(error, wiki: wiki.key)) }
    }

    /// The pages that came.
    var pulled: Set<PageName> { state.withLock { $0.pulled } }

    func add(_ pulled: PullResults) {
        let output = PullOutput(pulled)
        state.withLock {
            $0.pulled.formUnion(pulled.pulled)
            for failure in pulled.errors { $0.codes.insert(ExitCode(failure.error.kind)) }
            $0.output.errors += output.errors
            $0.output.missing += output.missing
            $0.output.moves += output.moves
            $0.output.pages += output.pages
        }
    }

    var exitCode: ExitCode { ExitCode(gravestOf: state.withLock { $0.codes }) }

    /// Tells the outcome of each reply that was not told before in one line, in the order of writing: what is on the wiki
    /// as the result, the others with what to do.
    func tell(_ wikis: [Wiki], _ context: Context) {
        let told = state.withLock { state in
            let new = state.told.filter { !$0.isTold }
            for index in state.told.indices { state.told[index].isTold = true }
            return new.sorted { $0.entry.reply.id < $1.entry.reply.id }
        }
        for one in told {
            let wiki = wikis.first { $0.key == one.entry.page.wiki }
            let line = OutcomeText.line(one.entry, one.outcome, wiki: wiki, fitted: one.fitted)
            if !one.outcome.isPosted {
                context.note("git-talk: \(line)")
            } else if !context.isJSON {
                context.terminal.write(line + "\n")
            }
        }
        context.told.add(told.map(\.entry).filter(\.hasOutcome))
    }

    /// All of it, for programs.
    func output(_ wikis: [Wiki]) -> SyncOutput {
        state.withLock { state in
            var output = state.output
            output.replies = state.told.map { one in
                SyncOutput.Result(
                    one.entry, one.outcome, fitted: one.fitted, wikis.first { $0.key == one.entry.page.wiki })
            }
            return output
        }
    }
}

extension SendOutcome {
    /// What it means for the exit code of the round; nil when all is well.
    fileprivate var exitCode: ExitCode? {
        switch self {
        case .posted: nil
        case .unknown, .waiting: .later
        case .held: .refused
        case .setAside: .failure
        }
    }

    /// Why it is not posted.
    fileprivate var reason: String? {
        switch self {
        case .posted: nil
        case .unknown(let reason), .waiting(let reason), .held(let reason), .setAside(let reason): reason
        }
    }

    /// The word for programs.
    fileprivate var word: String {
        switch self {
        case .posted: "posted"
        case .unknown: "unknown"
        case .waiting: "queued"
        case .held: "held"
        case .setAside: "discarded"
        }
    }
}

/// `git talk sync --json`, schema `Schema/cli/sync.schema.json`.
struct SyncOutput: Encodable {
    struct Result: Encodable {
        let fitted: Int64?
        let id: String
        let link: String?
        let page: String
        let postedRevision: Int64?
        let reason: String?
        let state: String
        let wiki: String

        fileprivate init(_ entry: OutboxEntry, _ outcome: SendOutcome, fitted: RevisionID?, _ wiki: Wiki?) {
            self.fitted = fitted?.rawValue
            id = entry.reply.id
            link = entry.postedRevision.flatMap { wiki?.url(ofChange: $0) }
            page = entry.page.prefixedTitle
            postedRevision = entry.postedRevision?.rawValue
            reason = outcome.reason
            state = outcome.word
            self.wiki = entry.page.wiki
        }
    }

    let schema = 1
    var errors: [ErrorOutput] = []
    var missing: [PullOutput.Missing] = []
    var moves: [PullOutput.Move] = []
    var pages: [PullOutput.Page] = []
    var replies: [Result] = []
}
