internal import TalkPages
internal import TalkStore
internal import TalkSync

/// When a reply is set aside if it is not posted by then: `--expires`, else `talk.expire`.
enum ExpiryOption {
    private static let day: Int64 = 86_400
    /// Nobody waits longer than ten years, and no sum overflows.
    private static let longest: Int64 = 3650 * day

    /// Seconds since 1970; throws `UsageError` for what is no time, or a time that is past.
    static func time(_ arguments: Arguments, _ context: Context, _ store: Store) throws -> Int64 {
        guard let text = arguments["expires"] else {
            return context.now + Int64(try store.reader.configuration.number(.expire)) * day
        }
        guard let time = parse(text, now: context.now) else {
            throw UsageError("'--expires \(text)': give days (3d), hours (12h) or the last day (2026-12-24)")
        }
        guard time > context.now else { throw UsageError("'--expires \(text)' is past") }
        return time
    }

    /// Reads `3d`, `12h`, or `2026-12-24`, which means the end of that day in UTC; nil for anything else.
    static func parse(_ text: String, now: Int64) -> Int64? {
        if let unit = ["d": day, "h": 3600][text.suffix(1)] {
            let digits = text.dropLast()
            guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let count = Int64(digits), count > 0, count * unit <= longest
            else { return nil }
            return now + count * unit
        }
        guard case .since(let start) = HistoryDepth("since:\(text)"), start < now + longest else { return nil }
        return start + day
    }
}

extension Option {
    static let expires = Option(
        "expires", value: "<when>", "set it aside if it is not posted by then: 3d, 12h, or 2026-12-24")
}
