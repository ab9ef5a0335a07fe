internal import Foundation
internal import TalkPages
internal import TalkStore

/// The list of cached pages.
enum ListView {
    static func html(_ states: [PageState], now: Int64) -> String {
        let rows = states.map { state in
            let page = state.page
            let query = [("wiki", page.wiki), ("namespace", page.namespace), ("title", page.title)]
                .map { "\($0)=\(Template.encode($1))" }.joined(separator: "&amp;")
            return "<li><a href=\"/page?\(query)\" dir=\"auto\">\(Template.escape(state.displayTitle))</a>"
                + " <small>\(Template.escape(page.wiki)), \(Age.words(state.checked, now: now))</small></li>\n"
        }
        return rows.isEmpty ? "<p>No page is cached yet: git talk pull &lt;page&gt;</p>" : "<ul>\n\(rows.joined())</ul>"
    }
}

/// One page as threads.
enum PageView {
    static func html(_ state: PageState, _ threads: DerivedThreads, now: Int64) -> String {
        var fresh = "Cached revision \(threads.revision?.description ?? "?"), \(Age.words(state.checked, now: now))"
        if state.isMissing { fresh += "; the page no longer exists on the wiki" }
        if let failure = state.failure { fresh += "; the last try failed: \(failure)" }
        var out = "<p class=\"fresh\" role=\"status\">\(Template.escape(fresh)).</p>\n"
        var depth = 0
        for item in threads.items {
            let level = item.kind == .comment ? item.level : 0
            while depth > 0, depth >= level {
                out += "</article>\n"
                depth -= 1
            }
            if item.kind == .heading {
                guard let number = item.headingLevel else { continue }
                let tag = "h\(max(2, number))"
                out +=
                    "<\(tag) dir=\"auto\" id=\"\(Template.escape(item.id))\">\(Template.escape(item.text))\(mark(item))</\(tag)>\n"
            } else {
                out += article(item)
                depth += 1
            }
        }
        return out + String(repeating: "</article>\n", count: depth)
    }

    private static func mark(_ item: ThreadItem) -> String {
        item.pending == nil ? "" : " <em>pending: not on the wiki yet</em>"
    }

    private static func article(_ item: ThreadItem) -> String {
        let time = item.timestamp.map { " <time>\(Age.minute($0))</time>" } ?? ""
        return """
            <article id="\(Template.escape(item.id))"\(item.pending == nil ? "" : " class=\"pending\"")>
            <strong dir="auto">\(Template.escape(item.shownAuthor))</strong>\(time)\(mark(item))
            <p dir="auto">\(Template.escape(item.text))</p>

            """
    }
}

/// Times in words.
enum Age {
    static func words(_ checked: Int64?, now: Int64) -> String {
        guard let checked else { return "never checked" }
        let minutes = max(0, now - checked) / 60
        return switch minutes {
        case 0: "checked just now"
        case ..<120: "checked \(minutes) min ago"
        case ..<2880: "checked \(minutes / 60) hours ago"
        default: "checked \(minutes / 1440) days ago"
        }
    }

    /// `2026-03-01 12:00 UTC`.
    static func minute(_ seconds: Int64) -> String {
        let text = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }
}
