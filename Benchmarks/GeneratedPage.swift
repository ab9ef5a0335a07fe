import TalkPages

/// A talk page as MediaWiki renders one, the same for the same size.
enum GeneratedPage {
    static let words = """
        the bridge was measured again in spring and nobody wrote down which end was taken for the first one so the \
        number in the article may be off by a foot or two as the old survey says on page twelve of the report
        """.split(separator: " ")

    static func html(bytes: Int) -> String {
        var html = ""
        var topic = 0
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        while html.utf8.count < bytes {
            topic += 1
            html += "<h2><span class=\"mw-headline\" id=\"Topic_\(topic)\">Topic \(topic)</span></h2>\n"
            html += "<p>\(comment(topic, 0, next))\n</p>"
            var depth = 0
            for number in 1...(4 + next(8)) {
                let wanted = min(depth + 1, 1 + next(6))
                if wanted > depth {
                    html += "<dl><dd>"
                } else {
                    for _ in wanted..<depth { html += "</dd></dl>\n" }
                    html += "</dd>\n<dd>"
                }
                depth = wanted
                html += comment(topic, number, next)
            }
            for _ in 0..<depth { html += "</dd></dl>\n" }
        }
        return html
    }

    private static func comment(_ topic: Int, _ number: Int, _ next: (Int) -> Int) -> String {
        let text = (0..<(20 + next(40))).map { _ in words[next(words.count)] }.joined(separator: " ")
        let user = "User \(next(40))"
        let link = user.replacing(" ", with: "_")
        let minute = (number * 7) % 60
        return """
            \(text) with a <a href="/wiki/Bridge_\(number)" title="Bridge \(number)">link</a> and <i>emphasis</i>. \
            <a href="/wiki/User:\(link)" title="User:\(user)">\(user)</a> \
            (<a href="/wiki/User_talk:\(link)" title="User talk:\(user)">talk</a>) \
            1\(number % 10):\(minute < 10 ? "0" : "")\(minute), \(1 + topic % 28) March 2024 (UTC)
            """
    }

    static let wiki = Wiki(
        key: "bench.example", api: "https://bench.example/w/api.php", server: "https://bench.example",
        articlePath: "/wiki/$1", script: "/w/index.php", generator: "MediaWiki 1.39", siteName: "Bench", language: "en",
        isRightToLeft: false, timezone: "UTC",
        namespaces: [
            Namespace(id: -1, name: "Special", canonical: "Special"), Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Talk", canonical: "Talk"), Namespace(id: 2, name: "User", canonical: "User"),
            Namespace(id: 3, name: "User talk", canonical: "User talk"),
        ], interwikiPrefixes: [], contributionsNames: ["Contributions"],
        signatureFormats: [
            SignatureFormat(
                variant: "en", format: "H:i, j F Y", months: months, monthsGenitive: months,
                monthsShort: months.map { String($0.prefix(3)) }, weekdays: days,
                weekdaysShort: days.map { String($0.prefix(3)) })
        ], hasDiscussionTools: false)

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}
