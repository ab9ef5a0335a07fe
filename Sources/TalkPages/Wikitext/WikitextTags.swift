/// Names of the tags whose content MediaWiki hands to an extension instead of reading it as wikitext.
public enum WikitextTags {
    /// The tags of MediaWiki itself and of the extensions that wikis commonly have, lower-case.
    ///
    /// For a wiki that did not name its own; a name too many matters only where somebody wrote that tag.
    public static let common: Set<String> = [
        "pre", "nowiki", "gallery", "indicator", "langconvert",
        "ref", "references", "syntaxhighlight", "source", "poem", "math", "chem", "ce", "score", "timeline", "hiero",
        "templatedata", "templatestyles", "inputbox", "imagemap", "categorytree", "charinsert", "graph", "mapframe",
        "maplink", "section", "labeledsectiontransclusion", "dynamicpagelist", "quiz", "phonos", "rss", "tabber",
        "choose", "languages", "pages", "pagelist", "pagequality", "seo", "talkpage", "thread", "randomimage",
        "youtube", "embedvideo", "mermaid",
    ]

    /// The name in an element of the answer to `meta=siteinfo&siprop=extensiontags`, where it stands as `<name>`.
    public static func name(inAnswer tag: String) -> String {
        tag.trimming { $0 == "<" || $0 == ">" || $0 == "/" }.lowercased()
    }
}

extension Wiki {
    /// The tags that hide headings and signatures on this wiki: its own list, or `WikitextTags.common`.
    public var wikitextTags: Set<String> { extensionTags.map(Set.init) ?? WikitextTags.common }
}

extension StringProtocol {
    /// Without the leading and trailing characters that `drop` names.
    func trimming(_ drop: (Character) -> Bool) -> String {
        var rest = self[...]
        while let first = rest.first, drop(first) { rest.removeFirst() }
        while let last = rest.last, drop(last) { rest.removeLast() }
        return String(rest)
    }
}
