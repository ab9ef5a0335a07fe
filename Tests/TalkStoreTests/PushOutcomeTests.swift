import TalkPages
import Testing

@testable import TalkStore

/// What git says of a push, and of a remote that it cannot reach, in words that a user can act on.
@Suite struct PushOutcomeTests {
    private func change(_ name: String) -> RemoteChange { RemoteChange(reference: name, old: nil, new: "1") }

    @Test func tellsWhatWasTakenRacedAndRefused() {
        let names = ["a", "b", "c", "d", "e", "f", "g"].map { "refs/heads/w/Talk/\($0)" }
        let output = """
            To /srv/hub
            *\t1:\(names[0])\t[new branch]
            +\t1:\(names[1])\t1...2 (forced update)
            =\t1:\(names[2])\t[up to date]
            -\t:\(names[3])\t[deleted]
            !\t1:\(names[4])\t[rejected] (stale info)
            !\t1:\(names[5])\t[remote rejected] (non-fast-forward)
            !\t1:\(names[6])\t[remote rejected] (cannot lock ref 'x': is at 1 but expected 2)
            Done
            """
        let outcome = PushOutcome(names.map(change), output: output)
        #expect(outcome.accepted.map(\.reference) == Array(names[..<4]))
        #expect(outcome.outrun.map(\.reference) == [names[4], names[6]])
        #expect(outcome.denied == [PushOutcome.Denial(change: change(names[5]), reason: "non-fast-forward")])
    }

    @Test(arguments: [
        (
            "fatal: unable to access 'https://hub.example/': Could not resolve host: hub.example",
            TalkError.Kind.unreachable
        ),
        (
            "ssh: connect to host h port 22: Connection refused\nfatal: Could not read from remote repository.",
            .unreachable
        ),
        ("fatal: unable to connect to localhost:\nlocalhost[0: 127.0.0.1]: errno=Connection refused", .unreachable),
        (
            "fatal: '/srv/no' does not appear to be a git repository\nfatal: Could not read from remote repository.",
            .notFound
        ),
        ("remote: Repository not found.\nfatal: repository 'https://h/x/' not found", .notFound),
        ("fatal: Authentication failed for 'http://127.0.0.1/hub'", .refused),
        ("fatal: could not read Username for 'http://h': terminal prompts disabled", .refused),
        ("git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.", .refused),
        ("fatal: the remote end hung up unexpectedly", .unreachable), ("", .unreachable),
        ("fatal: transport 'ext' not allowed", .notFound),
    ])
    func tellsWhyARemoteIsOutOfReach(errors: String, kind: TalkError.Kind) {
        let answer = GitProgram.Answer(status: 128, output: [], errors: errors)
        #expect(RemoteTrouble.error(answer, "nothing could be fetched from hub").kind == kind)
    }

    @Test func givesGitsReasonAndNotWhatItSaysAfterThat() {
        let errors = """
            fatal: '/srv/no' does not appear to be a git repository
            fatal: Could not read from remote repository.

            Please make sure you have the correct access rights
            """
        #expect(
            GitProgram.Answer(status: 128, output: [], errors: errors).reason
                == "'/srv/no' does not appear to be a git repository")
        let denied = "git@h: Permission denied (publickey).\nfatal: Could not read from remote repository."
        #expect(
            GitProgram.Answer(status: 128, output: [], errors: denied).reason == "git@h: Permission denied (publickey)."
        )
    }
}
