/// Puts a reply into the wikitext of a section, where DiscussionTools would put it.
///
/// Only the new lines are added; every other byte stays. The place is worked out from the text alone, so whoever posts
/// lets the wiki render the result first and compares the discussions.
public enum WikitextReply {
    /// A comment of the section, named by its signature.
    public struct Comment: Hashable, Sendable {
        /// The author as the page shows it.
        public var author: String
        /// Seconds since 1970, full minutes.
        public var timestamp: Int64
        /// Which one, from 0, of the section's comments with this author and time.
        public var occurrence: Int
        /// How many of them the page shows; nil when that is not known.
        public var occurrences: Int?
        /// `ThreadItem.level`; nil when that is not known.
        public var level: Int?
        /// The smallest level of a comment below it in its thread; nil when there is none.
        public var replyLevel: Int?
        /// The date as the page shows it, where the wiki's formats may miss it.
        public var displayed: String?

        /// Names a comment.
        public init(
            author: String, timestamp: Int64, occurrence: Int = 0, occurrences: Int? = nil, level: Int? = nil,
            replyLevel: Int? = nil, displayed: String? = nil
        ) {
            self.author = author
            self.timestamp = timestamp
            self.occurrence = occurrence
            self.occurrences = occurrences
            self.level = level
            self.replyLevel = replyLevel
            self.displayed = displayed
        }
    }

    /// What is answered.
    public enum Target: Hashable, Sendable {
        /// A comment; `last` is the last comment of its thread, itself when there is no reply, nil when not known.
        case comment(Comment, last: Comment?)
        /// The heading of the section: the text goes below all that stands before the first sub-heading.
        case heading
    }

    /// What became of it.
    public enum Result: Hashable, Sendable {
        /// The section's text with the reply in it.
        case placed(String)
        /// So many comments have this author and time, and nothing tells which is meant.
        case ambiguous(Int)
        /// The text has no such signature.
        case notFound
        /// The place cannot be known; the reason is a sentence for the user.
        case refused(String)
    }

    /// How a reply is indented under a comment.
    public enum Indentation: String, Hashable, Sendable {
        /// `:`, what wikis have unless they chose otherwise.
        case colon
        /// `*`, a wiki's `$wgDiscussionToolsReplyIndentation = 'bullet'`.
        case bullet
    }

    /// What a wiki and an account have to do with the placing.
    public struct Context: Sendable {
        /// The wiki, for the local names of user pages.
        public var wiki: Wiki
        /// Who replies.
        public var user: String?
        /// Finds signatures' dates.
        public var dates: any SignatureDates
        /// Lower-case names of the wiki's extension tags.
        var tags: Set<String> { wiki.wikitextTags }
        /// How replies are indented.
        public var indentation: Indentation

        /// Collects what is needed.
        public init(
            wiki: Wiki, user: String?, dates: any SignatureDates, indentation: Indentation = .colon
        ) {
            self.wiki = wiki
            self.user = user
            self.dates = dates
            self.indentation = indentation
        }
    }

    /// Inserts `text`, a draft, under `target` into `section`, the text of one section as MediaWiki gives it.
    ///
    /// Throws `TalkError` of kind `invalid` when the draft has no text.
    public static func insert(
        _ text: String, under target: Target, in section: String, context: Context
    ) throws(TalkError) -> Result {
        switch target {
        case .heading:
            let draft = try WikitextDraft(text, as: .topicReply, context: context)
            return WikitextPlacement(section, context, nil).append(draft)
        case .comment(let comment, let last):
            let draft = try WikitextDraft(text, as: .reply, context: context)
            let displayed = comment.displayed.map { ($0, comment.timestamp) }
            return WikitextPlacement(section, context, displayed).insert(draft, comment, last)
        }
    }

    /// The numbers of the sections, for `section=`, that have a signature of this author and time before their first
    /// sub-heading; in order, each once.
    public static func sections(with comment: Comment, in page: String, context: Context) -> [Int] {
        let outline = WikitextOutline(page, tags: context.tags)
        let displayed = comment.displayed.map { ($0, comment.timestamp) }
        let found = WikitextComments(outline, wiki: context.wiki, dates: context.dates, displayed: displayed)
        let author = WikitextUserLinks.normalized(comment.author)
        var indices: [Int] = []
        for match in found.comments where match.timestamp == comment.timestamp && match.author == author {
            let index = outline.scan.headings.last { $0.range.lowerBound < match.date }?.index ?? 0
            if indices.last != index { indices.append(index) }
        }
        return indices
    }

    /// Makes a draft ready for posting: NFC, LF line ends, trimmed, signed.
    ///
    /// A reply to a comment loses its blank lines, since each line becomes an item of its own; only what a tag, a template
    /// or a table holds stays together. Throws `TalkError` of kind `invalid` when the draft has no text.
    public static func prepared(
        _ draft: String, as form: DraftForm, context: Context
    ) throws(TalkError) -> PreparedDraft {
        let lines = try WikitextDraft(draft, as: form, context: context).lines
        let warnings = DraftWarning.all(in: WikitextDraft.cleaned(draft), as: form, wiki: context.wiki)
        return PreparedDraft(text: lines.joined(separator: "\n"), warnings: warnings)
    }

    /// Names the target of a reply to `items[index]`; `items` are those of the section whose text is changed, in order.
    ///
    /// Nil when the item is neither a comment nor a heading of this section.
    public static func target(_ index: Int, among items: [ThreadItem]) -> Target? {
        guard items.indices.contains(index) else { return nil }
        if items[index].kind == .heading { return .heading }
        guard var comment = comment(index, items) else { return nil }
        var last = index
        var thread: Set<Int> = [index]
        for (place, item) in items.enumerated() where item.kind == .comment {
            guard let parent = item.parent, thread.contains(parent) else { continue }
            thread.insert(place)
            last = place
            comment.replyLevel = min(comment.replyLevel ?? item.level, item.level)
        }
        return .comment(comment, last: self.comment(last, items))
    }

    private static func comment(_ index: Int, _ items: [ThreadItem]) -> Comment? {
        let item = items[index]
        guard let author = item.author, let timestamp = item.timestamp else { return nil }
        let equal = items.indices.filter { items[$0].author == author && items[$0].timestamp == timestamp }
        guard let occurrence = equal.firstIndex(of: index) else { return nil }
        return Comment(
            author: author, timestamp: timestamp, occurrence: occurrence, occurrences: equal.count, level: item.level)
    }
}
