package import TalkPages

/// A key of the store's git configuration that git-talk has: the one place where its name, form and default stand.
///
/// `docs/SETTINGS.md` is this table; a test compares them, and another one looks that no key is read elsewhere.
package struct Setting: Hashable, Sendable {
    /// What a value may be.
    package enum Form: Hashable, Sendable {
        /// A whole number in a range.
        case number(ClosedRange<Int>)
        /// One of these words.
        case word([String])
        /// Any text.
        case text
    }

    /// The key, `talk.history`; `<wiki>` stands for the name of a wiki.
    package let name: String
    /// What the value may be.
    package let form: Form
    /// The value where none is set; nil when there is none then.
    package let standard: String?
    /// What it does, one sentence.
    package let meaning: String
    /// Who reads it.
    package let readers: String

    /// The key for one wiki.
    package func name(of wiki: String) -> String { name.replacing("<wiki>", with: wiki) }

    /// Every key, in the order of the table.
    package static let all = [
        expire, sync, onMove, history, keep, contact, defaultWiki, user, api, remotes, format,
    ]

    package static let expire = Setting(
        name: "talk.expire", form: .number(1...3650), standard: "7",
        meaning: "Days after which a reply that could not be posted is set aside.",
        readers: "`reply`, `new`, `outbox restore`")
    package static let sync = Setting(
        name: "talk.sync", form: .word(["manual", "auto"]), standard: "manual",
        meaning:
            "When what you write is posted: by `git talk sync` alone, or, with `auto`, at once where the wiki answers.",
        readers: "`reply`, `new`")
    package static let onMove = Setting(
        name: "talk.onMove", form: .word(["rebase", "discard"]), standard: "rebase",
        meaning:
            "What becomes of a reply when somebody else changed its page: it follows the comment that it answers, or, "
            + "with `discard`, is set aside.",
        readers: "every command that brings a page up to date")
    package static let history = Setting(
        name: "talk.history", form: .number(1...5000), standard: "3",
        meaning: "Number of revisions that the first pull of a page brings.", readers: "`pull`, `sync`")
    package static let keep = Setting(
        name: "talk.keep", form: .number(0...100_000), standard: "10",
        meaning:
            "Number of pages that stay although nobody asked for them: those that somebody looked at last. Others are "
            + "dropped after a while; what is bookmarked, was pulled by name or has replies that wait is not counted.",
        readers: "`pull`, `sync`, `evict`, `list`")
    package static let contact = Setting(
        name: "talk.contact", form: .text, standard: nil,
        meaning:
            "An address or a page where the people of a wiki can reach you, part of what this program calls itself there; "
            + "else it is the user page of the account.",
        readers: "every request")
    package static let defaultWiki = Setting(
        name: "talk.defaultWiki", form: .text, standard: nil,
        meaning: "The wiki of titles without an address; not needed while the store knows only one.",
        readers: "every command that takes a page; `git talk wiki default` sets it")
    package static let user = Setting(
        name: "wiki.<wiki>.user", form: .text, standard: nil,
        meaning: "The account at a wiki, as it logs in.",
        readers: "every command that talks to the wiki; `git talk login` sets it")
    package static let api = Setting(
        name: "wiki.<wiki>.api", form: .text, standard: nil,
        meaning: "Where the wiki's API is, for when the store has lost what it knows of the wiki.",
        readers: "`sync`; `git talk login` sets it")
    package static let remotes = Setting(
        name: "wiki.<wiki>.remotes", form: .text, standard: nil,
        meaning:
            "The remotes, with spaces between, that get pages of a wiki which only its members read; others get nothing "
            + "while the store has such pages.",
        readers: "`exchange`, `init --from`, `purge`")
    package static let format = Setting(
        name: "talk.format", form: .number(1...1), standard: nil,
        meaning: "The version of the store's format; never change it.", readers: "every command")
}

extension GitConfiguration {
    /// A setting's text; nil where it is not set and has no default.
    package func text(_ setting: Setting, of wiki: String = "") -> String? {
        string(setting.name(of: wiki)) ?? setting.standard
    }

    /// A setting's number; throws `invalid`, as git does, for a value that is none.
    package func number(_ setting: Setting) throws(TalkError) -> Int {
        guard case .number(let range) = setting.form else { throw Self.unfit(setting) }
        let number = string(setting.name) == nil ? setting.standard.flatMap { Int($0) } : integer(setting.name)
        guard let number, range.contains(number) else {
            throw wrong(setting, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A setting's word; throws `invalid` for another one than those that it may be.
    package func word(_ setting: Setting) throws(TalkError) -> String {
        guard case .word(let words) = setting.form else { throw Self.unfit(setting) }
        let word = text(setting)?.lowercased()
        guard let word, words.contains(word) else { throw wrong(setting, words.joined(separator: " or ")) }
        return word
    }

    private func wrong(_ setting: Setting, _ wanted: String) -> TalkError {
        TalkError(
            .invalid, "the setting \(setting.name) is “\(string(setting.name) ?? "")” and must be \(wanted)",
            hint: "correct it in .git/config of the store")
    }

    private static func unfit(_ setting: Setting) -> TalkError {
        TalkError(.internal, "\(setting.name) has another form")
    }
}
