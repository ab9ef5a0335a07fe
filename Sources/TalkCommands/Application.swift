internal import Foundation
internal import TalkPages

/// The program: `arguments` without its own name.
///
/// The one place that catches errors: says what happened and what to do on standard error, and makes the exit code.
package func runTalk(_ arguments: [String], terminal: Terminal, surroundings: Surroundings) async -> ExitCode {
    do {
        return try await Application(terminal: terminal, surroundings: surroundings).run(arguments)
    } catch let error as UsageError {
        terminal.tell(error, hint: "git talk help")
        return .usage
    } catch let error as TalkError {
        terminal.tell(error)
        return ExitCode(error.kind)
    } catch {
        terminal.writeError("git-talk: internal error: \(error)\nhint: please report it\n")
        return .internal
    }
}

private struct Application {
    let terminal: Terminal
    let surroundings: Surroundings

    func run(_ arguments: [String]) async throws -> ExitCode {
        var words = arguments
        // Options of the program may stand before the verb, as with git itself.
        var leading: [String] = []
        while let word = words.first, word.hasPrefix("-") {
            words.removeFirst()
            switch word {
            case "--version":
                terminal.write(Help.version + "\n")
                return .done
            case "-h", "--help": return help(nil)
            case "--store":
                guard let value = words.first else { throw UsageError("option '--store' needs a value") }
                words.removeFirst()
                leading += [word, value]
            case "--json": leading.append(word)
            case _ where word.hasPrefix("--store="): leading.append(word)
            default: throw UsageError("unknown option '\(word)'")
            }
        }
        guard let name = words.first else { return help(nil) }
        words.removeFirst()
        if name == "help" { return help(words.first) }
        guard let verb = Verbs.all.first(where: { $0.name == name }) else { throw unknown(name) }
        let parsed = try Arguments(leading + words, options: verb.options + Option.common)
        if parsed.has("help") { return help(name) }
        let context = try Context(parsed, terminal, surroundings)
        let code: ExitCode
        do {
            code = try await verb.run(parsed, context)
        } catch let error as UsageError {
            let hint = error.isIncomplete ? "git talk \(name) \(verb.synopsis)" : "git talk help \(name)"
            terminal.tell(error, hint: hint)
            return .usage
        } catch let error as TalkError {
            terminal.tell(error)
            code = ExitCode(error.kind)
        }
        if verb.group != .plumbing { await OutcomeReminder(context: context).run() }
        return code
    }

    private func unknown(_ name: String) -> UsageError {
        let nearest = Arguments.nearest(name, in: Verbs.all.map(\.name))
        return UsageError("unknown command '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }

    private func help(_ name: String?) -> ExitCode {
        guard let name else {
            terminal.write(Help.overview(Verbs.all))
            return .done
        }
        guard let verb = Verbs.all.first(where: { $0.name == name }) else {
            terminal.writeError("git-talk: unknown command '\(name)'\nhint: git talk help\n")
            return .usage
        }
        terminal.write(Help.text(verb))
        return .done
    }
}

/// Every verb of the program.
enum Verbs {
    static let all: [Verb] = [
        .show, .serve, .list, .log, .diff, .reply, .new, .outbox, .pull, .sync, .exchange, .login, .bookmark, .evict,
        .doctor, .initialize, .purge, .wiki, .setupDiff, .parse, .place, .newComments, .text,
    ]
}
