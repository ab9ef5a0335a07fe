public import TalkPages
public import TalkStore

/// What becomes of replies in a round of sending, one after another.
///
/// The round begins with the iterator and goes on to its end, whether anybody looks or not: a request that is under way
/// is never left without its answer in the journal. Each iterator is a round of its own.
public struct OutboxOutcomes: AsyncSequence, Sendable {
    /// A reply as its journal says now, and what happened to it in this round.
    public struct Element: Hashable, Sendable {
        /// The journal.
        public let entry: OutboxEntry
        /// What happened.
        public let outcome: SendOutcome
    }

    /// What stops a round: the store cannot be written or is damaged.
    public typealias Failure = TalkError

    private typealias Report = @Sendable (OutboxEntry, SendOutcome) async -> Void
    private let send: @Sendable (@escaping Report) async throws(TalkError) -> Void

    init(_ sender: OutboxSender, _ entries: [OutboxEntry], _ lock: HeldLock) {
        send = { report throws(TalkError) in try await sender.send(entries, holding: lock, report: report) }
    }

    /// Begins the round.
    public func makeAsyncIterator() -> Iterator {
        let (results, continuation) = AsyncStream.makeStream(of: Result<Element, TalkError>.self)
        let send = send
        Task {
            do throws(TalkError) {
                try await send { entry, outcome in
                    continuation.yield(.success(Element(entry: entry, outcome: outcome)))
                }
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        return Iterator(results: results.makeAsyncIterator())
    }

    /// Gives the outcomes of one round.
    public struct Iterator: AsyncIteratorProtocol {
        var results: AsyncStream<Result<Element, TalkError>>.Iterator

        /// The next outcome; nil at the end of the round.
        public mutating func next() async throws(TalkError) -> Element? {
            try await next(isolation: nil)
        }

        /// The next outcome; nil at the end of the round.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TalkError) -> Element? {
            try await results.next(isolation: actor)?.get()
        }
    }
}

extension OutboxSender {
    /// Sends the entries as `send` does, and gives each one's outcome.
    public func outcomes(of entries: [OutboxEntry], holding lock: HeldLock) -> OutboxOutcomes {
        OutboxOutcomes(self, entries, lock)
    }
}
