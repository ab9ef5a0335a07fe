/// How far back the history of a page is brought.
public enum HistoryDepth: Hashable, Sendable {
    /// So many of the newest revisions, those included that are cached.
    case newest(Int)
    /// What was saved at that time or later, seconds since 1970.
    case since(Int64)
    /// All of it.
    case all

    /// Reads `200`, `all` or `since:2024-01-31`, the beginning of that day in UTC; nil for anything else.
    public init?(_ text: String) {
        let date = text.dropFirst("since:".count)
        if text == "all" {
            self = .all
        } else if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(text), count > 0 {
            self = .newest(count)
        } else if text.hasPrefix("since:"), let time = APITimestamp.seconds("\(date)T00:00:00Z"),
            APITimestamp.text(time).hasPrefix(date)
        {
            // The last condition refuses days that no month has.
            self = .since(time)
        } else {
            return nil
        }
    }

    /// Whether a revision belongs to it when `count` newer ones do.
    func takes(_ revision: RevisionInfo, after count: Int) -> Bool {
        switch self {
        case .newest(let limit): count < limit
        case .since(let time): revision.timestamp >= time
        case .all: true
        }
    }
}
