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

    /// Cut at 120 bytes, between code points and not within an escape, then `=` and 16 digits of `sha256sum`.
    @Test(arguments: [
        // As long as it may be, and a byte more.
        (String(repeating: "a", count: 120), String(repeating: "a", count: 120)),
        (String(repeating: "a", count: 121), String(repeating: "a", count: 120) + "=e9615320128cc7a3"),
        (String(repeating: "/", count: 40), String(repeating: "%2F", count: 40)),
        (String(repeating: "/", count: 41), String(repeating: "%2F", count: 40) + "=bb432be69e6fe660"),
        // 118 bytes, and an escape that has no room.
        (String(repeating: "a", count: 118) + "/", String(repeating: "a", count: 118) + "=67059c252130fda0"),
        // A letter with a mark is one character of two code points, and the mark has no room.
        (
            "a b " + String(repeating: "x", count: 115) + "q\u{301}",
            "a_b_" + String(repeating: "x", count: 115) + "q=5c08aa86a13a397b"
        ),
        // In NFC an "é" is two bytes, with the space three: forty times that fit.
        (String(repeating: "e\u{301} ", count: 41), String(repeating: "é_", count: 40) + "=3e5d5ccc5074dab8"),
    ])
    func cutsAsTheStoreSays(heading: String, slug: String) {
        var slugs = SectionSlugs()
        #expect(Array(slugs.nextFile(for: heading).utf8) == Array("sections/\(slug).html".utf8))
        #expect(Array(slugs.nextFile(for: heading).utf8) == Array("sections/\(slug)~2.html".utf8))
        #expect(SectionSlugs.isValidFile("sections/\(slug)~2.html"))
    }

    @Test func neverLeavesItsDirectory() {
        for heading in ["../../etc/passwd", "..", ".", ".git", "a\0b", "/", "con", "\n"] {
            var slugs = SectionSlugs()
            let file = slugs.nextFile(for: heading)
            #expect(file.split(separator: "/").count == 2 && !file.contains("/.") && SectionSlugs.isValidFile(file))
        }
    }
}
