internal import TalkHTTP
internal import TalkPages

/// What an HTTP answer of `api.php` says.
enum APIAnswer {
    /// A JSON object without an error.
    case result(JSONValue)
    /// The error that decides.
    case error(APIError)

    /// Reads an answer: the JSON body first, the HTTP status second.
    ///
    /// `api.php` reports errors with status 200. What is not JSON comes from a proxy, from PHP or from a network that
    /// wants a login.
    static func read(_ response: HTTPResponse, isWrite: Bool) -> APIAnswer {
        let retryAfter = RetryAfter.seconds(response)
        let parsed: JSONValue
        do throws(JSONError) {
            parsed = try JSONParser.parse(response.body)
        } catch {
            return .error(unusable(response, error, isWrite: isWrite, retryAfter: retryAfter))
        }
        let errors = (parsed["errors"]?.elements ?? []) + (parsed["error"].map { [$0] } ?? [])
        let read = errors.compactMap { entry(in: $0, isWrite: isWrite, retryAfter: retryAfter) }
        if let gravest = APIError.gravest(read) { return .error(gravest) }
        guard (200..<300).contains(response.status), parsed.members != nil, errors.isEmpty else {
            let code = response.status == 200 ? "not-json" : "http-\(response.status)"
            return .error(APIError(code: code, text: "", isWrite: isWrite, retryAfter: retryAfter))
        }
        return .result(parsed)
    }

    /// One error in either format: `text` and `data` apart, or `info` with the data beside it.
    static func entry(in value: JSONValue, isWrite: Bool, retryAfter: Int? = nil) -> APIError? {
        guard let code = value["code"]?.text else { return nil }
        return APIError(
            code: code, text: value["text"]?.text ?? value["info"]?.text ?? "", data: value["data"] ?? value,
            module: value["module"]?.text, isWrite: isWrite, retryAfter: retryAfter)
    }

    private static func unusable(
        _ response: HTTPResponse, _ error: JSONError, isWrite: Bool, retryAfter: Int?
    ) -> APIError {
        let make = { (code: String, text: String) in
            APIError(code: code, text: text, isWrite: isWrite, retryAfter: retryAfter)
        }
        switch response.status {
        case 200..<300:
            if response.body.isEmpty { return make("empty-answer", "") }
            let isObject = response.body.first == UInt8(ascii: "{")
            return make(isObject && error.isTruncated ? "truncated-answer" : "not-json", "")
        case 300..<400:
            return make("http-redirect", response.redirectURL.map { "redirect to \(withoutQuery($0))" } ?? "")
        default:
            return make("http-\(response.status)", "")
        }
    }

    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }
}

/// How long a server asks to wait.
enum RetryAfter {
    /// Seconds from `Retry-After`, given as a number or as a date that is compared with the server's own clock.
    static func seconds(_ response: HTTPResponse) -> Int? {
        guard let value = response.header("Retry-After") else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return min(Int(value) ?? .max, 86_400)
        }
        guard let until = date(value), let now = response.header("Date").flatMap(date) else { return nil }
        return Int(min(max(until - now, 0), 86_400))
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may still send.
    private static func date(_ text: String) -> Int64? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]), let year = Int64(words[3]),
            (1...31).contains(day), (1970...9999).contains(year),
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int64($0) }
        guard time.count == 3, time.allSatisfy({ (0..<61).contains($0) }) else { return nil }
        return APITimestamp.days(year, Int64(month) + 1, day) * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
    }
}
