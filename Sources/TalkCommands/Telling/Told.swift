internal import Synchronization
internal import TalkPages

/// What a command has told of replies, so that it is not told a second time, and counts as seen when it was seen.
final class Told: Sendable {
    private let entries = Mutex<[String: OutboxEntry]>([:])

    /// Remembers that the entries were written as they stand here.
    func add(_ told: [OutboxEntry]) {
        entries.withLock { entries in
            for entry in told { entries[entry.reply.id] = entry }
        }
    }

    /// Whether what became of the reply was told.
    func has(_ entry: OutboxEntry) -> Bool {
        entries.withLock { $0[entry.reply.id]?.tellsTheSame(as: entry) ?? false }
    }

    /// All that was told, in the order of writing.
    var all: [OutboxEntry] { entries.withLock { $0.values.sorted { $0.reply.id < $1.reply.id } } }
}
