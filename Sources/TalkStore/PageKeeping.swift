public import TalkPages

/// Why a page stays in the store.
public enum KeepReason: String, Hashable, Sendable, CaseIterable {
    /// The user wants it for good, on every machine.
    case bookmark
    /// It was pulled by name.
    case named
    /// Its older revisions were pulled.
    case history
    /// Replies on it wait.
    case pending
    /// A reply on it was set aside, and nobody has seen that yet.
    case discarded
    /// Nothing is known of how it came here.
    case unknown
    /// It is one of those that somebody looked at last.
    case recent
}

/// A cached page and why it stays: a function of what is known of all of them.
public struct PageKeeping: Hashable, Sendable {
    /// The page.
    public let page: PageName
    /// What this machine knows of it; nil when nothing is known.
    public let state: PageState?
    /// When somebody looked at it last, seconds since 1970; nil when nobody did.
    public let visited: Int64?
    /// Why it stays, in the order of `KeepReason`; empty when nothing keeps it.
    public let reasons: [KeepReason]

    /// What is known of one page.
    struct Facts {
        let page: PageName
        var state: PageState?
        var visited: Int64?
        var isBookmarked = false
        var isPending = false
        var hasUnseenDiscarded = false

        /// Why somebody wants it, whatever other pages there are.
        fileprivate var reasons: [KeepReason] {
            let all: [(KeepReason, Bool)] = [
                (.bookmark, isBookmarked), (.named, state?.isKept == true), (.history, state?.history != nil),
                (.pending, isPending), (.discarded, hasUnseenDiscarded), (.unknown, state == nil),
            ]
            return all.filter(\.1).map(\.0)
        }
    }

    /// The pages in the given order, of which so many stay that were merely visited.
    static func decide(_ pages: [Facts], limit: Int) -> [PageKeeping] {
        let visited = pages.indices.filter { pages[$0].reasons.isEmpty }
            // Of those that nobody looked at the ones that came last.
            .sorted { key(pages[$0]) > key(pages[$1]) }
        let recent = Set(visited.prefix(limit))
        return pages.indices.map {
            PageKeeping(
                page: pages[$0].page, state: pages[$0].state, visited: pages[$0].visited,
                reasons: recent.contains($0) ? [.recent] : pages[$0].reasons)
        }
    }

    private static func key(_ page: Facts) -> (Int64, Int64) { (page.visited ?? .min, page.state?.checked ?? .min) }
}
