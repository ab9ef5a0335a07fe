internal import TalkPages
internal import TalkStore

extension Verb {
    static let setupDiff = Verb(
        "setup-diff", .maintain, "Let git show pages as text in this store", synopsis: "[--off]",
        details: """
            Afterwards git diff, git log -p and git show in the store print sections as text, one line a block, instead of
            HTML. Only the store's own .git/config (diff.git-talk) and .git/info/attributes are changed. Where git-talk is
            not on the PATH, the HTML is shown as it is.
            """,
        options: [Option("off", "show HTML again")],
        examples: ["git talk setup-diff", "git -C ~/.local/share/git-talk log -p en.wikipedia.org/User_talk/Example"]
    ) { arguments, context in
        try arguments.expect(0...0, "")
        let isOff = arguments.has("off")
        try await context.store().setTextDiff(isOff ? nil : TextDriver.command)
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(SetupDiffOutput(text: !isOff)))
            return .done
        }
        context.note(
            isOff
                ? "git shows the pages as HTML again"
                : "git shows the pages as text now; undo it: git talk setup-diff --off")
        return .done
    }
}

/// What git calls to make text of a section's file, whose name it adds at the end.
enum TextDriver {
    /// A store is used by other programs, too: without this one they must still see the file.
    static let command = #"sh -c 'git-talk text -- "$1" 2>/dev/null || cat -- "$1"' git-talk"#
}

/// `git talk setup-diff --json`, schema `Schema/cli/setup-diff.schema.json`.
private struct SetupDiffOutput: Encodable {
    let schema = 1
    let text: Bool
}
