import TalkPages

extension Wiki {
    /// A German wiki with aliases, gender forms and a namespace of its own, as the title tests need it.
    static let german = Wiki(
        key: "wiki.example", api: "https://wiki.example/w/api.php", server: "https://wiki.example",
        articlePath: "/wiki/$1", script: "/w/index.php", generator: "MediaWiki 1.39.17", siteName: "Beispielwiki",
        language: "de", isRightToLeft: false, timezone: "Europe/Berlin",
        namespaces: [
            Namespace(id: -2, name: "Medium", canonical: "Media"),
            Namespace(id: -1, name: "Spezial", canonical: "Special"),
            Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Diskussion", canonical: "Talk"),
            Namespace(id: 2, name: "Benutzer", canonical: "User", aliases: ["Benutzerin"]),
            Namespace(
                id: 3, name: "Benutzer Diskussion", canonical: "User talk",
                aliases: ["Benutzerin Diskussion", "BD"]),
            Namespace(id: 4, name: "Beispielwiki", canonical: "Project", aliases: ["BW"]),
            Namespace(id: 5, name: "Beispielwiki Diskussion", canonical: "Project talk"),
            Namespace(id: 6, name: "Datei", canonical: "File", aliases: ["Bild", "Image"]),
            Namespace(id: 7, name: "Datei Diskussion", canonical: "File talk"),
            Namespace(id: 100, name: "Wörterbuch", canonical: "Wörterbuch", isCaseSensitive: true),
            Namespace(
                id: 101, name: "Wörterbuch Diskussion", canonical: "Wörterbuch Diskussion", isCaseSensitive: true),
        ],
        interwikiPrefixes: ["en", "commons", "w"], contributionsNames: ["Beiträge"], signatureFormats: [],
        hasDiscussionTools: true, localInterwikiPrefixes: ["de", "hier"])
}
