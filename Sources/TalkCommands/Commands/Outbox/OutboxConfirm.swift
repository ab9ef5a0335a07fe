internal import TalkPages
internal import TalkStore

/// `git talk outbox retry --confirm`: the user's word on what a wiki asked before it takes a reply.
///
/// Nothing else confirms a warning or answers a captcha.
struct OutboxConfirm {
    let context: Context
    let store: Store

    static let option = Option("confirm", "retry: yes, post it although the wiki warned, or answer its captcha")

    /// What to do about a reply that is held since the wiki asked something; nil for another one.
    static func hint(_ entry: OutboxEntry) -> String? {
        let id = entry.reply.id
        guard let demand = entry.demand, demand.concerns(entry.reply) else { return nil }
        return switch demand.kind {
        case .warning: "have it posted all the same: git talk outbox retry --confirm \(id)"
        case .captcha where demand.wantsBrowser:
            "only a browser can show it: post the text there and drop it here, or ask the wiki again: git talk outbox retry \(id)"
        case .captcha: "answer the captcha: git talk outbox retry --confirm \(id)"
        }
    }

    /// Asks what must be asked and queues the reply again with the answer.
    func run(_ id: String) async throws -> ExitCode {
        guard let entry = try store.outboxEntry(id), entry.state == .held, let demand = entry.demand,
            demand.concerns(entry.reply)
        else {
            throw TalkError(
                .invalid, "there is nothing to confirm about \(id)",
                hint: "see where it stands: git talk outbox show \(id)")
        }
        let answer = demand.kind == .captcha ? try ask(demand, entry) : nil
        let queued = try await store.updateEntry(id) { current in
            guard current.state == .held, current.demand == demand else { return false }
            current.state = .queued
            current.reason = nil
            current.demand?.isConfirmed = true
            current.demand?.answer = answer
            return true
        }
        guard let queued else {
            throw TalkError(.busy, "\(id) was changed by another program meanwhile", hint: "try again")
        }
        context.terminal.write(
            context.isJSON
                ? try JSONOutput.text(OutboxOutput([queued], store.reader))
                : "queued \(id) again; git talk sync sends it\n")
        return .done
    }

    private func ask(_ demand: SendDemand, _ entry: OutboxEntry) throws -> String {
        guard !demand.wantsBrowser else {
            throw TalkError(
                .refused, "only a browser can show this captcha",
                hint: "post it in a browser, from the text of: git talk outbox show \(entry.reply.id)")
        }
        if !demand.text.isEmpty { context.note("the wiki asks: \(demand.text)") }
        if let image = demand.image {
            let server = try store.reader.wiki(entry.page.wiki)?.server ?? ""
            let address = image.hasPrefix("//") ? "https:\(image)" : image.hasPrefix("/") ? server + image : image
            context.note("the wiki shows a picture: \(address)")
        }
        context.terminal.writeError("answer: ")
        let answer = context.terminal.readLine()?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        guard !answer.isEmpty else {
            throw TalkError(.invalid, "no answer was given", hint: "git talk outbox retry --confirm \(entry.reply.id)")
        }
        return answer
    }
}
