/// The texts of `git talk help`.
enum Help {
    static let version = "git-talk 0.1.0"

    static func overview(_ verbs: [Verb]) -> String {
        var out = """
            usage: git talk <command> [<options>] [<arguments>]

            Keep MediaWiki talk pages in a git repository: read them offline, reply offline, post later.

            """
        for group in Verb.Group.allCases {
            let members = verbs.filter { $0.group == group }
            if members.isEmpty { continue }
            out += "\n\(group.rawValue)\n"
            for verb in members { out += "  \(padded(verb.name, 14))\(verb.summary)\n" }
        }
        out += """

            A page is named by its URL or by its title on the default wiki; '#topic' picks one topic.
            Options of every command: --store <dir>, --json, --help. 'git talk help <command>' tells more.
            The store is $GIT_TALK_STORE, else $XDG_DATA_HOME/git-talk, else ~/.local/share/git-talk.

            """
        return out
    }

    static func text(_ verb: Verb) -> String {
        var out = "usage: git talk \(verb.name)\(verb.synopsis.isEmpty ? "" : " " + verb.synopsis)\n\n\(verb.summary)\n"
        if !verb.details.isEmpty { out += "\n\(verb.details)\n" }
        out += "\noptions\n"
        for option in verb.options + Option.common {
            var left = option.letter.map { "-\($0), " } ?? "    "
            left += "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
            out += "  \(padded(left, 26))\(option.help)\n"
        }
        if !verb.examples.isEmpty {
            out += "\nexamples\n" + verb.examples.map { "  \($0)\n" }.joined()
        }
        return out
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
    }
}
