internal import TalkPages
internal import TalkStore

/// The right to send, which one program at a time has.
struct SenderTurn {
    let context: Context
    let store: Store

    /// Seconds that a person waits for another program, which is mostly done with its round by then.
    private static let patience = 10

    /// Takes it, after a while where another program has it; work in the background, and a command that only tries, do
    /// not wait.
    ///
    /// Throws `busy` when the other one goes on for longer.
    func take() async throws(TalkError) -> HeldLock {
        for second in 0...(context.isBackground || context.isHasty ? 0 : Self.patience) {
            if second == 1 { context.note("git-talk: another git-talk is sending; waiting for it") }
            if second > 0 { context.surroundings.sleep(1) }
            if let lock = try await store.senderLock() { return lock }
        }
        throw TalkError(.busy, "another git-talk is sending the replies of this store", hint: "try again later")
    }
}
