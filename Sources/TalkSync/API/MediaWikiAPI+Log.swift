internal import TalkPages

extension MediaWikiAPI {
    /// Whether a page with this title was deleted, or with `orMoved` moved away, at that moment, seconds since 1970, or
    /// later.
    func wasTakenAway(title: String, since moment: Int64, orMoved: Bool) throws(TalkError) -> Bool {
        let answer = try callOrExplain(
            [
                ("action", "query"), ("list", "logevents"), ("letitle", title), ("leprop", "type|timestamp"),
                ("leend", APITimestamp.text(moment)), ("lelimit", "50"),
            ], subject: title)
        return (answer["query"]?["logevents"]?.elements ?? []).contains { event in
            switch event["type"]?.text {
            case "move": orMoved
            case "delete": event["action"]?.text?.hasPrefix("delete") == true
            default: false
            }
        }
    }
}
