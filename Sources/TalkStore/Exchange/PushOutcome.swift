/// What a remote did with the changes that it was given.
public struct PushOutcome: Hashable, Sendable {
    /// A change that the remote refuses.
    public struct Denial: Hashable, Sendable {
        /// The change.
        public let change: RemoteChange
        /// Why, in the remote's words.
        public let reason: String
    }

    /// What it has now.
    public internal(set) var accepted: [RemoteChange] = []
    /// What somebody else changed first.
    public internal(set) var outrun: [RemoteChange] = []
    /// What it refuses.
    public internal(set) var denied: [Denial] = []

    init() {}

    var isEmpty: Bool { accepted.isEmpty && outrun.isEmpty && denied.isEmpty }

    /// Reads what `git push --porcelain` printed; a change of which it says nothing is in none of the lists.
    init(_ changes: [RemoteChange], output: String) {
        let byName = Dictionary(changes.map { ($0.reference, $0) }) { first, _ in first }
        for line in output.split(separator: "\n") {
            // `<flag> TAB <from>:<to> TAB <summary> (<reason>)`
            let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let colon = fields[1].utf8.lastIndex(of: UInt8(ascii: ":")),
                let change = byName[String(fields[1][fields[1].utf8.index(after: colon)...])]
            else { continue }
            guard fields[0] == "!" else {
                accepted.append(change)
                continue
            }
            let summary = String(fields[2])
            let reason = summary.split(separator: "(", maxSplits: 1).dropFirst().first.map { $0.dropLast() }
            if Self.races.contains(where: summary.contains) {
                outrun.append(change)
            } else {
                denied.append(Denial(change: change, reason: reason.map(String.init) ?? summary))
            }
        }
    }

    private static let races = [
        "stale info", "fetch first", "cannot lock ref", "failed to lock", "failed to update ref",
        "reference already exists", "incorrect old value provided", "already exists",
    ]
}
