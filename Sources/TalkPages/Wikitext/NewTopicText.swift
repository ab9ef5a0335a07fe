/// A new topic, written as an extension of the page's last section.
///
/// Sent with `section=` and `baserevid`, a topic is guarded against a second copy like a reply; `section=new` is not.
public enum NewTopicText {
    /// The text of the last section, or of the page without sections, with the topic below it.
    ///
    /// `last` is what MediaWiki gives for that section, empty for a page that does not exist. Blanks and markup in the
    /// title stay. A draft that begins with a heading of its own may have an empty title. Refused when the heading would
    /// not begin a section there; throws `TalkError` of kind `invalid` when title or text is missing.
    public static func appending(
        title: String, text: String, to last: String, context: WikitextReply.Context
    ) throws(TalkError) -> WikitextReply.Result {
        let draft = try WikitextDraft(text, as: .topic, context: context).lines.joined(separator: "\n")
        let heading = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        let isTitled = heading.contains { !$0.isWhitespace }
        var topic = draft
        if isTitled {
            topic = "== \(heading) ==\n\n\(draft)"
        } else if WikitextSections(draft, tags: context.tags).sections.dropFirst().first?.range.lowerBound != 0 {
            throw TalkError(.invalid, "The topic has no heading", hint: "Give it a heading")
        }
        let before = String(decoding: Array(last.utf8)[...].trimmedEnd(), as: UTF8.self)
        let result = before.isEmpty ? topic : before + "\n\n" + topic
        let start = result.utf8.count - topic.utf8.count
        guard
            let section = WikitextSections(result, tags: context.tags).sections.first(where: {
                $0.level > 0 && $0.range.lowerBound == start
            }), !isTitled || section.level == 2
        else {
            let isTitle = WikitextSections("\(topic)", tags: context.tags).sections.count < 2
            return .refused(
                isTitle
                    ? "The heading cannot be used, since the wiki would not see it as one"
                    : "The last section has a comment or tag that is not closed, so that a new topic would be hidden")
        }
        return .placed(result)
    }
}
