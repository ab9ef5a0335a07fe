public import TalkHTML

/// The form in which a store keeps a page: a function of the wiki's answer and of `formatVersion`, nothing else.
///
/// What changes between two renderings of one revision is left out, what the thread parser needs stays:
/// - No comment, script, `meta`, `link`, edit link, contents list, parser wrapper, Parsoid section or empty element that
///   MediaWiki hides; no mark of DiscussionTools; of a style sheet only `<style></style>`, since a comment can start
///   there. Entities, `nowiki` and timestamp links become their text, a heading's id stands on the heading.
/// - Attributes by name, without those of Parsoid, of scripts (`data-…`, `on…`), of image sizes and of link relations,
///   without ids that are only numbers and without classes that tell of other pages (`new`, `mw-redirect`, …).
/// - A link to a page that is missing is written as one to a page that exists, and so is one of the page to itself, which
///   leads there also when the page has another title; a title that repeats the address goes.
/// - Blocks stand on lines of their own, and the end tags of paragraphs, items and cells do, where white space never
///   shows; so a reply to a comment leaves the comment's line as it was.
/// - A section starts at each heading. What the heading stands in is closed before and opened again in the section's
///   file, marked with `continuedAttribute`.
public enum CanonicalPage {
    /// Number of these rules, kept with each revision (`Wiki-Format`).
    public static let formatVersion = 1

    /// Marks an element that a section's file opens again, because the heading stands inside it.
    ///
    /// MediaWiki reserves `data-mw` for itself, so no user can write it into a page.
    public static let continuedAttribute = "data-mw-continued"

    /// The page as the files of its tree, from the `text` of `action=parse`.
    ///
    /// Takes the answer of any parser and version, and its own output, which it does not change. `title` is the page's on
    /// the wiki, when the HTML is the wiki's: links of a page to itself have no address of their own. Throws `invalid`
    /// when the HTML is beyond the limits of `HTMLDocument`.
    public static func content(of html: String, wiki: Wiki?, title: String? = nil) throws(TalkError) -> PageContent {
        try content(of: parse(html), wiki: wiki, title: title, size: html.utf8.count)
    }

    /// The page as the files of its tree, from a tree, whether canonical or not.
    public static func content(of document: HTMLDocument, wiki: Wiki?) throws(TalkError) -> PageContent {
        try content(of: document, wiki: wiki, title: nil, size: document.nodeCount * 64)
    }

    private static func content(
        of document: HTMLDocument, wiki: Wiki?, title: String?, size: Int
    ) throws(TalkError) -> PageContent {
        let links = PageLinks(wiki: wiki, title: title)
        var page = canonicalTree(document, links)
        // A tree that no parser makes of its own HTML: read that HTML until nothing changes any more.
        var html = ""
        for _ in 0..<8 where page.isUnstable {
            let written = page.document.innerHTML(page.document.root)
            if written.utf8.elementsEqual(html.utf8) {
                page.isUnstable = false
            } else {
                html = written
                page = canonicalTree(try parse(html), links)
                page.isUnstable = true
            }
        }
        guard !page.isUnstable else {
            throw TalkError(
                .invalid, "the wiki's HTML of the page is too broken to be stored",
                hint: "look for unclosed tags in the page's wikitext")
        }
        return try PageSplitter(page).content(limit: 8 * size + 1 << 20)
    }

    private static func canonicalTree(_ document: HTMLDocument, _ links: PageLinks) -> CanonicalTree {
        var tree = CanonicalTree(document)
        tree.clean(links)
        tree.findSections()
        tree.layOut()
        return tree
    }

    static func parse(_ html: String) throws(TalkError) -> HTMLDocument {
        do {
            return try HTMLDocument(parsing: html)
        } catch {
            throw unreadable(error)
        }
    }

    private static func unreadable(_ error: HTMLError) -> TalkError {
        switch error {
        case .tooDeep:
            TalkError(
                .invalid, "the page's elements are nested too deeply, or too many tags are not closed",
                hint: "look for unclosed tags in the page's wikitext")
        case .tooLarge(let limit):
            TalkError(
                .invalid, "the page is too large to be read (limit \(limit >> 20) MB)",
                hint: "ask for the page to be archived")
        }
    }
}
