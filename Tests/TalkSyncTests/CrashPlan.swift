import TalkTestSupport

/// What goes wrong in one run, by chance that repeats.
struct CrashPlan {
    /// What becomes of the first request that saves.
    enum Trouble: String, CaseIterable {
        case none = "nothing"
        case refused = "cut before the wiki had it"
        case lost = "saved, connection closed"
        case cut = "saved, answer cut"
        case serverError = "saved, empty 500"
        case page = "saved, HTML"
        case unsavedError = "500, not saved"
        case slow = "saved, answer after the time-out"
        case slower = "saved after the time-out"
        case late = "given up, saved before the next look"
    }

    /// What happens on the wiki.
    enum Event: String, CaseIterable {
        case elsewhere = "another topic edited"
        case answer = "somebody answers"
        case revert = "our copy reverted"
        case move = "our copy moved"
        case own = "an edit of one's own in the topic"
        case rename = "heading renamed"
    }

    let trouble: Trouble
    /// While the first request that saves is under way, before it arrives.
    let during: Event?
    /// Between the first round and the next.
    let between: [Event]
    /// At which step the program is stopped; nil when it is not.
    let stop: Int?
    /// From which request on the network is gone; nil when it is not.
    let loss: Int?
    let target: String

    /// Nothing breaks but that the program is stopped at this step.
    init(stoppingAt stop: Int) {
        trouble = .none
        during = nil
        between = []
        self.stop = stop
        loss = nil
        target = "Carol"
    }

    init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        trouble = Trouble.allCases.randomElement(using: &chance) ?? .none
        during =
            Int.random(in: 0..<3, using: &chance) == 0
            ? [.elsewhere, .answer, .rename].randomElement(using: &chance) : nil
        between = (0..<Int.random(in: 0...2, using: &chance)).compactMap { _ in
            Event.allCases.randomElement(using: &chance)
        }
        stop = Int.random(in: 0..<5, using: &chance) < 2 ? Int.random(in: 1...48, using: &chance) : nil
        loss = stop == nil && Int.random(in: 0..<4, using: &chance) == 0 ? Int.random(in: 1...12, using: &chance) : nil
        target = ["Carol", "Dora", "Ramp"].randomElement(using: &chance) ?? "Carol"
    }

    var words: String {
        var words = ["to \(target)", trouble.rawValue]
        if let during { words.append("meanwhile \(during.rawValue)") }
        words += between.map { "then \($0.rawValue)" }
        if let stop { words.append("stopped at step \(stop)") }
        if let loss { words.append("no network from request \(loss)") }
        return words.joined(separator: ", ")
    }

    /// The page after an event, where `text` is our reply's; nil when it changes nothing.
    static func change(_ page: String, _ event: Event, _ text: String) -> String? {
        let answer = ":New. [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 12:30, 2 March 2024 (UTC)"
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let ours = lines.firstIndex { $0.contains(text) }
        switch event {
        case .elsewhere:
            guard let index = lines.firstIndex(where: { $0.hasPrefix("And the") }) else { return nil }
            lines[index] = lines[index].replacing("And the", with: "And the the").replacing("the the the", with: "the")
        case .answer: lines.append(answer)
        case .revert:
            guard let ours else { return nil }
            lines.remove(at: ours)
        case .move:
            guard let ours else { return nil }
            lines.append(":" + lines.remove(at: ours).drop { $0 == ":" })
        case .own:
            guard let index = lines.firstIndex(where: { $0.hasPrefix(":Five.") }) else { return nil }
            lines.insert("::Something else of mine. ~~~~", at: index + 1)
        case .rename:
            guard let index = lines.firstIndex(where: { $0.hasPrefix("==") && $0.contains("Width") }) else {
                return nil
            }
            lines[index] = lines[index] == "== Width ==" ? "== Width of it ==" : "== Width =="
        }
        return lines.joined(separator: "\n")
    }
}
