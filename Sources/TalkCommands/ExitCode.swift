package import TalkPages

/// What the shell sees: a small set of `sysexits.h` numbers, so that a script can tell "try later" from "give up".
package enum ExitCode: Int32, Sendable {
    /// Done, also when there was nothing to do.
    case done = 0
    /// Could not: not found, nothing matches, the user's own input cannot be used.
    case failure = 1
    /// Wrong command line.
    case usage = 64
    /// The store is damaged, is not a store, or is of a newer format.
    case damaged = 65
    /// The program is wrong.
    case `internal` = 70
    /// Try later: offline, throttled, busy, outcome not known yet.
    case later = 75
    /// The wiki refused: login, block, protection, filter.
    case refused = 77

    /// The one place where an error becomes an exit code.
    package init(_ kind: TalkError.Kind) {
        self =
            switch kind {
            case .notFound, .invalid, .unwritable, .missingProgram: .failure
            case .damaged: .damaged
            case .internal: .internal
            case .busy, .unreachable, .unknownOutcome: .later
            case .refused: .refused
            }
    }

    /// The gravest one, for a command that did several things: damage, refusal, later, could not.
    init(gravestOf codes: some Collection<ExitCode>) {
        self = [.damaged, .internal, .refused, .later, .failure].first(where: codes.contains) ?? .done
    }
}
