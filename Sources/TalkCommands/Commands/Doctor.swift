internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let doctor = Verb(
        "doctor", .maintain, "Look for damage in the store and repair it", synopsis: "[--check]",
        details: """
            Reads everything in the store: what a crash, a failing disk, or somebody's commands left wrong is said in one line
            each, with what was done about it. What you wrote is never removed: what cannot be repaired and may have text in it
            goes to .git/git-talk/damaged. Revisions that are damaged are taken out; the next pull of their page brings them
            again.

            With --check nothing is changed, and the exit code is 1 when something is wrong.
            """,
        options: [Option("check", "only say what is wrong, and change nothing")],
        examples: ["git talk doctor --check", "git talk doctor"]
    ) { arguments, context in
        try arguments.expect(0...0, "")
        let repairs = !arguments.has("check")
        let lost = try Store.mendConfiguration(at: context.storePath, repairs: repairs)
        return try await DoctorRun(context: context, lost: lost, repairs: repairs).run()
    }
}

private struct DoctorRun {
    let context: Context
    /// What was wrong with the configuration, without which the store cannot be opened.
    let lost: StoreFinding?
    let repairs: Bool

    func run() async throws -> ExitCode {
        var findings = lost.map { [$0] } ?? []
        var errors: [TalkError] = []
        if repairs {
            let store = try context.store()
            findings += try await store.repair(context.programs.find("git") == nil ? nil : context.git)
            try await heal(store, &findings, &errors)
        } else if lost == nil {
            findings = try await context.store().examine(now: context.now)
        }
        let isSound = findings.allSatisfy { $0.isNote || $0.repair != nil } && errors.isEmpty
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(DoctorOutput(findings, errors, isSound: isSound)))
        } else {
            tell(findings)
            for error in errors { context.terminal.tell(error) }
            context.terminal.write(Self.summary(findings, errors.count, repairs))
        }
        return isSound ? .done : .failure
    }

    /// Pending branches are made anew from the journals, which only somebody who knows the wiki can do.
    private func heal(
        _ store: Store, _ findings: inout [StoreFinding], _ errors: inout [TalkError]
    ) async throws(TalkError) {
        for wiki in try store.wikis() {
            do throws(TalkError) {
                let setAside = try await PendingFitting(store: store, wiki: wiki).healAll()
                for entry in setAside where !context.isJSON { context.tell(entry) }
            } catch {
                errors.append(error.named(wiki.key))
            }
        }
        let known = Set(try store.wikis().map(\.key))
        for index in findings.indices where findings[index].kind == .pending {
            guard let page = findings[index].page, !known.contains(page.wiki) else { continue }
            findings[index].repair = nil
            findings[index].hint = "make it anew: git talk pull \(ShellWord.quoted(page.prefixedTitle))"
        }
        // Threads of the pages whose files are others now.
        for page in Set(findings.compactMap(\.page)) {
            guard let wiki = try store.wiki(page.wiki) else { continue }
            _ = try? await PageThreads(store: store, wiki: wiki).refresh(page)
        }
    }

    private func tell(_ findings: [StoreFinding]) {
        for finding in findings {
            var line = TerminalText.safe(finding.message)
            if let repair = finding.repair { line += "; \(TerminalText.safe(repair))" }
            context.terminal.write((finding.isNote ? "note: " : "") + line + "\n")
            if let hint = finding.hint { context.terminal.write("  hint: \(TerminalText.safe(hint))\n") }
        }
    }

    private static func summary(_ findings: [StoreFinding], _ errors: Int, _ repairs: Bool) -> String {
        let wrong = findings.filter { !$0.isNote }, left = wrong.count { $0.repair == nil } + errors
        if wrong.isEmpty && errors == 0 { return "the store is sound\n" }
        let count = TimeText.count(wrong.count, "thing is wrong", "things are wrong")
        if !repairs { return "\(count); repair the store: git talk doctor\n" }
        if left == 0 {
            return "\(TimeText.count(wrong.count, "thing was wrong and is", "things were wrong and are")) repaired\n"
        }
        return "\(TimeText.count(left, "thing needs you", "things need you")), as told above\n"
    }
}

/// `git talk doctor --json`, schema `Schema/cli/doctor.schema.json`.
private struct DoctorOutput: Encodable {
    struct Finding: Encodable {
        let hint: String?
        let kind: String
        let message: String
        let note: Bool
        let page: String?
        let repair: String?
        let wiki: String?
    }

    let schema = 1
    let errors: [ErrorOutput]
    let findings: [Finding]
    let sound: Bool

    init(_ findings: [StoreFinding], _ errors: [TalkError], isSound: Bool) {
        self.errors = errors.map { ErrorOutput($0, wiki: nil) }
        self.findings = findings.map {
            Finding(
                hint: $0.hint, kind: $0.kind.rawValue, message: $0.message, note: $0.isNote,
                page: $0.page?.prefixedTitle, repair: $0.repair, wiki: $0.page?.wiki)
        }
        sound = isSound
    }
}
