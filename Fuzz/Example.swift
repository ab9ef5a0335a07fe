import TalkPages

/// The wiki whose pages the fuzzer makes up.
enum Example {
    static let wiki = Wiki(
        key: "wiki.example", api: "https://wiki.example/w/api.php", server: "https://wiki.example",
        articlePath: "/wiki/$1", script: "/w/index.php", generator: "MediaWiki 1.39.17", siteName: "Example",
        language: "en", isRightToLeft: false, timezone: "UTC",
        namespaces: [
            Namespace(id: -1, name: "Special", canonical: "Special"), Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Talk", canonical: "Talk"), Namespace(id: 2, name: "User", canonical: "User"),
            Namespace(id: 3, name: "User talk", canonical: "User talk"),
        ], interwikiPrefixes: ["w"], contributionsNames: ["Contributions"],
        signatureFormats: [
            SignatureFormat(
                variant: "en", format: "H:i, j F Y", months: months, monthsGenitive: months,
                monthsShort: months.map { String($0.prefix(3)) }, weekdays: weekdays,
                weekdaysShort: weekdays.map { String($0.prefix(3)) })
        ], hasDiscussionTools: false)

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// Ends the run when something that holds for every input does not.
    static func require(_ holds: Bool, _ what: String) {
        if !holds { fatalError(what) }
    }
}
