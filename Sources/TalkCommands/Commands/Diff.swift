internal import TalkPages
internal import TalkStore

extension Verb {
    static let diff = Verb(
        "diff", .read, "Show what changed in a discussion, comment by comment",
        synopsis: "[--stat] <page>[#<topic>] [<revision>[..<revision>] | --pending]",
        details: """
            Works without network, between any two cached revisions ('git talk log' lists them): without one, between the
            two newest; with one, from there to the newest. Words that changed are marked, by colours on a terminal, else
            as [-removed-]{+added+}. Page@<revision> is understood as well.
            """,
        options: [
            Option("pending", "compare with the page as it will be with the pending replies"),
            Option("stat", "print only how much changed in each topic"),
        ],
        examples: [
            "git talk diff User_talk:Example", "git talk diff Talk:Bridge 1234..1250",
            "git talk diff --pending Talk:Bridge",
        ]
    ) { arguments, context in
        try arguments.expect(1...2, "page")
        let store = try context.store()
        let request = try DiffRequest(arguments, context, store)
        let report = try await request.report(store)
        store.visit(request.named.page, at: context.now)
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(DiffOutput(report)))
        } else if arguments.has("stat") {
            context.show(DiffStat(report, style: context.style).text())
        } else {
            context.show(DiffText(report, style: context.style, width: context.width).text())
        }
        if report.isOfTwoPages, let old = report.old.record, let new = report.new.record {
            context.note("git-talk: revisions \(old.id) and \(new.id) are of two different pages at this title")
        }
        if report.isBehind {
            context.note(
                "the pending replies stand on an older revision than the newest; fit them to it: git talk sync")
        }
        return .done
    }
}
