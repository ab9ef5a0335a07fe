import Foundation
import TalkPages

/// A talk page over its revisions, the same for the same number.
///
/// Of the edits 80 % are replies, most of them in the last sections, 13 % new sections, 5 % change a word, and 1.5 % take
/// the oldest fifth of the sections away, as an archive does. In the long run that is a page of about 40 sections, at most 60.
struct GeneratedHistory {
    let name: PageName
    private let number: Int
    private var dice: Dice
    private var topics: [Topic] = []
    private var topicCount = 0
    private var revision: Int64 = 0
    private var summary = ""
    private var user = ""

    /// A section; only what an edit changes is brought into canonical form again.
    private struct Topic {
        let heading: String
        var comments: [String] = []
        var section: PageSection
    }

    /// A page of so many sections with three comments each, before its first revision.
    init(_ number: Int, sections: Int) throws {
        self.number = number
        name = Self.page(number)
        dice = Dice(seed: UInt64(number + 1))
        for _ in 0..<sections {
            try begin()
            for _ in 0..<2 { try reply(at: topics.count - 1) }
        }
    }

    static func page(_ number: Int) -> PageName {
        PageName(wiki: GeneratedPage.wiki.key, namespace: "Talk", title: "Page \(number)")
    }

    /// The first so many revisions of a page.
    static func revisions(
        _ count: Int, of number: Int, sections: Int
    ) throws -> [(record: RevisionRecord, content: PageContent)] {
        var history = try GeneratedHistory(number, sections: sections)
        return try (0..<count).map { _ in try history.next() }
    }

    /// Makes an edit and gives the page as it is then.
    mutating func next() throws -> (record: RevisionRecord, content: PageContent) {
        try edit()
        let first = Int64(number) * 100_000
        revision += 1
        let record = RevisionRecord(
            id: RevisionID(rawValue: first + revision + 1),
            parent: RevisionID(rawValue: revision == 1 ? 0 : first + revision), page: PageID(rawValue: first + 1),
            timestamp: 1_600_000_000 + revision * 600, user: user, summary: summary, isMinor: false,
            format: CanonicalPage.formatVersion)
        return (
            record, PageContent(lede: "<p>This is where the page is discussed.</p>\n", sections: topics.map(\.section))
        )
    }

    /// Makes an edit.
    mutating func edit() throws {
        let kind = dice.next(1000)
        if kind < 800, !topics.isEmpty {
            // Most of them are in the last topics.
            let chance = dice.unit()
            try reply(at: topics.count - 1 - Int(Double(topics.count) * chance * chance * chance))
        } else if kind < 850, !topics.isEmpty {
            let index = dice.next(topics.count), comment = dice.next(topics[index].comments.count)
            topics[index].comments[comment] = topics[index].comments[comment].replacing(
                " the ", with: " a ", maxReplacements: 1)
            summary = "/* \(topics[index].heading) */ better said"
            try render(index)
        } else if kind < 865, topics.count >= 5 {
            topics.removeFirst(topics.count / 5)
            summary = "Old topics into the archive"
        } else {
            try begin()
        }
    }

    private mutating func begin() throws {
        topicCount += 1
        let heading = "\(dice.words(3)) \(topicCount)"
        topics.append(Topic(heading: heading, section: PageSection(file: "", heading: heading, level: 2, html: "")))
        try reply(at: topics.count - 1)
        summary = "/* \(heading) */ new section"
    }

    private mutating func reply(at index: Int) throws {
        user = "User \(dice.next(40))"
        let link = user.replacing(" ", with: "_"), minute = 10 + dice.next(50)
        topics[index].comments.append(
            """
            \(dice.words(20 + dice.next(60))) the <a href="/wiki/\(dice.words(1))" title="x">link</a>. \
            <a href="/wiki/User:\(link)" title="User:\(user)">\(user)</a> \
            (<a href="/wiki/User_talk:\(link)" title="User talk:\(user)">talk</a>) \
            1\(dice.next(10)):\(minute), \(1 + dice.next(28)) March 2024 (UTC)
            """)
        summary = "/* \(topics[index].heading) */ reply"
        try render(index)
    }

    private mutating func render(_ index: Int) throws {
        let topic = topics[index]
        let replies = topic.comments.dropFirst().map { "<dl><dd>\($0)</dd></dl>\n" }.joined()
        let id = topic.heading.replacing(" ", with: "_")
        let html = """
            <h2><span class="mw-headline" id="\(id)">\(topic.heading)</span></h2>
            <p>\(topic.comments[0])</p>
            \(replies)
            """
        topics[index].section = try CanonicalPage.content(of: html, wiki: GeneratedPage.wiki).sections[0]
    }
}

/// Numbers and words by chance, the same for the same seed.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2_654_435_761 &+ 1 }

    /// A number from 0 on below `bound`.
    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    /// From 0 on below 1.
    mutating func unit() -> Double { Double(next(1 << 24)) / Double(1 << 24) }

    /// Words of a language of 4096, as often as words are in languages: the n-th in 1/n of the places.
    mutating func words(_ count: Int) -> String {
        (0..<count).map { _ in Self.vocabulary[Int(pow(4096, unit())) - 1] }.joined(separator: " ")
    }

    private static let vocabulary: [String] = {
        var dice = Dice(seed: 7)
        let starts = [
            "b", "br", "c", "d", "f", "g", "gr", "h", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v", "w",
        ]
        let middles = ["a", "e", "i", "o", "u", "ea", "ou", "ai"], ends = ["", "n", "r", "s", "t", "l", "nd", "m"]
        return (0..<4096).map { number in
            // Frequent words are short.
            let syllables = 1 + dice.next(number < 100 ? 1 : 3)
            return (0..<syllables).map { _ in
                starts[dice.next(starts.count)] + middles[dice.next(middles.count)] + ends[dice.next(ends.count)]
            }.joined()
        }
    }()
}
