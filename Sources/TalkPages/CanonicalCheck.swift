/// Whether a page from elsewhere is exactly what this program would have written.
extension CanonicalPage {
    /// Whether the sections' files are called by their headings.
    public static func areNames(_ entries: [PageTreeJSON.Entry]) -> Bool {
        var slugs = SectionSlugs()
        return entries.allSatisfy { slugs.nextFile(for: $0.heading).utf8.elementsEqual($0.file.utf8) }
    }

    /// Whether `lede.html` is canonical by itself, which that of nearly every page is.
    public static func isCanonical(lede: String) -> Bool {
        guard let again = try? content(of: lede, wiki: nil) else { return false }
        return again.sections.isEmpty && again.lede.utf8.elementsEqual(lede.utf8)
    }

    /// Whether a section is canonical by itself, which that of nearly every page is.
    public static func isCanonical(_ section: PageSection) -> Bool {
        guard let again = try? content(of: section.html, wiki: nil), again.lede.isEmpty, again.sections.count == 1
        else { return false }
        return isSame(again.sections[0], section)
    }

    /// Whether a page is canonical as a whole.
    public static func isCanonical(_ page: PageContent) -> Bool {
        let html = page.lede + page.sections.map(\.html).joined()
        guard let again = try? content(of: html, wiki: nil) else { return false }
        return again.lede.utf8.elementsEqual(page.lede.utf8) && again.sections.count == page.sections.count
            && zip(again.sections, page.sections).allSatisfy { isSame($0, $1) }
    }

    /// By bytes: `String` also takes other normal forms for equal.
    private static func isSame(_ one: PageSection, _ other: PageSection) -> Bool {
        one.level == other.level && one.heading.utf8.elementsEqual(other.heading.utf8)
            && one.html.utf8.elementsEqual(other.html.utf8)
    }
}
