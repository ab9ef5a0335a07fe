import TalkPages
import Testing

@Suite struct SectionSlugTests {
    @Test func numbersEqualSlugsInPageOrder() {
        var slugs = SectionSlugs()
        #expect(slugs.nextFile(for: "A b") == "sections/A_b.html")
        #expect(slugs.nextFile(for: "a b") == "sections/a_b.html")
        #expect(slugs.nextFile(for: "A_b") == "sections/A_b~2.html")
        #expect(slugs.nextFile(for: "A b~2") == "sections/A_b%7E2.html")
        #expect(slugs.nextFile(for: "A b") == "sections/A_b~3.html")
        #expect(slugs.nextFile(for: "") == "sections/_.html")
        #expect(slugs.nextFile(for: "_") == "sections/_~2.html")
    }

    @Test func cutsLongHeadings() {
        let slug = SectionSlugs.slug(String(repeating: "é", count: 61))
        #expect(slug.hasPrefix(String(repeating: "é", count: 60) + "=") && slug.utf8.count == 137)
        #expect(SectionSlugs.isValidFile("sections/\(slug)~12.html"))
    }

    @Test func neverLeavesItsDirectory() {
        for heading in ["../../etc/passwd", "..", ".", ".git", "a\0b", "/", "con", "\n"] {
            var slugs = SectionSlugs()
            let file = slugs.nextFile(for: heading)
            #expect(file.split(separator: "/").count == 2 && !file.contains("/.") && SectionSlugs.isValidFile(file))
        }
    }
}
