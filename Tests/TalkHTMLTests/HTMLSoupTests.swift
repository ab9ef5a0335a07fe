import TalkHTML
import TalkTestSupport
import Testing

/// What holds for any text.
@Suite struct HTMLSoupTests {
    /// Reading what was written gives the same tree.
    ///
    /// Not where the parser had to repair misnested markup (`isRepaired`), and not around `form`, out of which gumbo
    /// moves the last text: such trees come from no HTML. `isindex` makes a form.
    @Test func readsBackWhatItWrote() throws {
        let seed: UInt64 = 20_261_130
        var soup = TagSoup(seed: seed)
        var repaired = 0
        for round in 0..<1_500 {
            let html = soup.next()
            let document = try HTMLDocument(parsing: html)
            if document.isRepaired {
                repaired += 1
                continue
            }
            let written = document.innerHTML(document.root)
            let again = try HTMLDocument(parsing: written)
            #expect(
                Array(again.innerHTML(again.root).utf8) == Array(written.utf8), "seed \(seed), round \(round): \(html)")
        }
        #expect(repaired < 1_000, "the test would not test much")
    }
}
