internal import TalkPages

/// Why git could not talk to a remote, from what it printed.
///
/// Git has one exit code for all of it, so its words decide; unknown ones count as a remote that cannot be reached now.
enum RemoteTrouble {
    private static let kinds: [(TalkError.Kind, hint: String, words: [String])] = [
        (
            .refused, "log in there, or keep its password: git config --global credential.helper …",
            [
                "Authentication failed", "could not read Username", "could not read Password",
                "terminal prompts disabled", "Permission denied (", "returned error: 401", "returned error: 403",
                "Host key verification failed", "access denied", "not allowed to",
            ]
        ),
        (
            .notFound,
            "look at its address, in the store: git remote -v; mend it: git remote set-url <remote> <address>",
            [
                "does not appear to be a git repository", "epository not found", "not found", "No such remote",
                "no such repository", "repository not exported", "does not exist",
                "is not supported by this git", "remote helper", "Protocol", "transport '",
            ]
        ),
        (
            .unreachable, "try again when it can be reached",
            [
                "Could not resolve host", "Name or service not known", "Connection refused", "Connection timed out",
                "Couldn't connect", "unable to connect", "Failed to connect", "Network is unreachable",
                "No route to host", "Connection reset", "Operation timed out", "returned error: 5",
            ]
        ),
    ]

    /// The error for a git that did not reach a remote.
    static func error(_ answer: GitProgram.Answer, _ subject: String) -> TalkError {
        // A name that does not resolve is "not found" as well.
        let order: [TalkError.Kind] = [.unreachable, .refused, .notFound]
        for kind in order {
            guard let row = kinds.first(where: { $0.0 == kind }), row.words.contains(where: answer.errors.contains)
            else {
                continue
            }
            return TalkError(kind, "\(subject): \(answer.reason)", hint: row.hint)
        }
        return answer.failure(subject, .unreachable, hint: "try again when it can be reached")
    }
}
