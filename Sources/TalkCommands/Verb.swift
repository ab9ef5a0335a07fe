/// One verb of the program: how it is called, what the help says, and what it does.
struct Verb: Sendable {
    /// The groups of `git talk help`, in their order there.
    enum Group: String, CaseIterable, Sendable {
        case read, write, exchange, maintain, plumbing
    }

    let name: String
    let group: Group
    /// One line, imperative, without a full stop.
    let summary: String
    /// What follows the verb in the usage line.
    let synopsis: String
    /// Paragraphs for the verb's own help.
    let details: String
    let options: [Option]
    let examples: [String]
    let run: @Sendable (Arguments, Context) async throws -> ExitCode

    init(
        _ name: String, _ group: Group, _ summary: String, synopsis: String, details: String = "",
        options: [Option] = [], examples: [String] = [],
        run: @escaping @Sendable (Arguments, Context) async throws -> ExitCode
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.synopsis = synopsis
        self.details = details
        self.options = options
        self.examples = examples
        self.run = run
    }
}
