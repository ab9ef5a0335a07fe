internal import Synchronization

/// A terminal that shows nothing twice: what a round says as the one before it did is left out.
///
/// What is compared is what stands together, a message with its hint. Each wiki has its own memory, since not all take
/// part in each round.
final class EventLines: Sendable {
    private struct Memory {
        var subject = ""
        var before: [String: Set<String>] = [:]
        var now: [String: Set<String>] = [:]
    }

    private let memory = Mutex(Memory())
    private let behind: Terminal

    init(_ terminal: Terminal) { behind = terminal }

    /// No person is thought to look, so that nothing counts as seen.
    var terminal: Terminal {
        var terminal = behind
        terminal.isInteractive = false
        terminal.isInputInteractive = false
        terminal.isErrorInteractive = false
        terminal.write = { [self] text in if isNew(text) { behind.write(text) } }
        terminal.writeError = { [self] text in if isNew(text) { behind.writeError(text) } }
        return terminal
    }

    /// From now on what is said is about this.
    func begin(_ subject: String) {
        memory.withLock { memory in
            memory.subject = subject
            memory.before[subject] = memory.now[subject]
            memory.now[subject] = []
        }
    }

    private func isNew(_ text: String) -> Bool {
        memory.withLock { memory in
            let isSaid = memory.now[memory.subject, default: []].insert(text).inserted == false
            return !isSaid && memory.before[memory.subject]?.contains(text) != true
        }
    }
}
