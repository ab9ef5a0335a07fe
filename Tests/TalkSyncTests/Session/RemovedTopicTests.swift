import TalkPages
import Testing

@testable import TalkSync

/// Who removed a topic, in which revision, and where it went.
@Suite struct RemovedTopicTests {
    private let page = PageMachineTests.page

    private func topics(_ headings: String...) -> [ThreadItem] {
        headings.map {
            ThreadItem(kind: .heading, level: 0, headingLevel: 2, id: "h-\($0)", name: "h-", parent: nil, text: $0)
        }
    }

    private func record(_ id: Int64, parent: Int64? = nil, _ user: String = "Bob") -> RevisionRecord {
        RevisionRecord(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: parent ?? id - 1), page: PageID(rawValue: 7),
            timestamp: id, user: user, summary: "", isMinor: false, format: 1)
    }

    private func find(_ later: [(RevisionRecord, [ThreadItem])]) -> [RemovedTopic] {
        RemovedTopic.find(
            from: topics("A", "B"), at: RevisionID(rawValue: 10), in: later.map { (record: $0.0, items: $0.1) },
            page: page, wiki: PageMachineTests.site)
    }

    @Test func theRevisionIsTheFirstWithoutIt() {
        let found = find([
            (record(11), topics("A", "B")), (record(12, "Carol"), topics("A")), (record(13), topics("A")),
        ])
        #expect(found.map(\.heading.text) == ["B"])
        #expect(found.map(\.revision?.rawValue) == [12] && found.map(\.user) == ["Carol"])
        #expect(found.map(\.timestamp) == [12] && found.map(\.destination) == [nil])
    }

    @Test func theLastRemovalCounts() {
        let found = find([
            (record(11), topics("A")), (record(12), topics("A", "B")), (record(13, "Carol"), topics("A")),
        ])
        #expect(found.map(\.revision?.rawValue) == [13])
        #expect(find([(record(11), topics("A")), (record(12), topics("A", "B"))]) == [])
    }

    @Test func betweenRevisionsThatWereNotFetchedNobodyIsNamed() {
        let found = find([(record(15), topics("A")), (record(16), topics())])
        #expect(found.map(\.heading.text) == ["A", "B"])
        #expect(found.map(\.revision?.rawValue) == [16, nil])
        #expect(found.map(\.user) == ["Bob", nil])
    }

    @Test(arguments: [
        ("Archiving 2 topics to [[Talk:Bridge/Archive 1]]", "Talk:Bridge/Archive 1"),
        ("moved to [[/Archive#Top|the archive]]", "Talk:Bridge/Archive"),
        ("see [[Talk:Bridge]] and [[Talk:River|there]]", "Talk:River"),
        ("[[Bridge]] [[Talk:x", nil), ("", nil), ("[[]] [[|]] [[Talk:]]", nil),
    ])
    func theSummaryTellsWhereItWent(summary: String, title: String?) {
        let found = RemovedTopic.destination(in: summary, from: page, wiki: PageMachineTests.site)
        #expect(found?.prefixedTitle == title)
    }

    @Test func aUserWhoIsRevertedIsNoPlace() {
        var site = PageMachineTests.site
        site.namespaces += [
            Namespace(id: 2, name: "User", canonical: "User"),
            Namespace(id: 3, name: "User talk", canonical: "User talk"),
        ]
        let summary = "Undo of [[Special:Contributions/X|X]] ([[User talk:X|talk]])"
        #expect(RemovedTopic.destination(in: summary, from: page, wiki: site) == nil)
        let own = PageName(wiki: "w.example", namespace: "User talk", title: "X")
        #expect(
            RemovedTopic.destination(in: "to [[User talk:X/2024]]", from: own, wiki: site)?.prefixedTitle
                == "User talk:X/2024")
    }
}
