import TalkPages
import TalkTestSupport
import Testing

/// What holds for every two pages, tried on invented ones that grow out of each other.
@Suite struct DiscussionDiffPropertyTests {
    /// A page as lists in lists, from which items are made.
    private struct Page {
        struct Comment {
            var author: String
            var time: Int64
            var level: Int
            var text: String
        }

        struct Topic {
            var text: String
            var level: Int
            var comments: [Comment]
        }

        var topics: [Topic] = []

        var items: [ThreadItem] {
            var items: [ThreadItem] = []
            var headings: [(level: Int, index: Int)] = []
            for topic in topics {
                headings.removeAll { $0.level >= topic.level }
                let oldest = topic.comments.min { $0.time < $1.time }
                items.append(
                    ThreadItem(
                        kind: .heading, level: 0, headingLevel: topic.level, id: "h-\(topic.text)-\(oldest?.time ?? 0)",
                        name: "h-" + (oldest.map { "\($0.author)-\($0.time)" } ?? ""), parent: headings.last?.index,
                        text: topic.text, file: "sections/\(topic.text).html"))
                headings.append((topic.level, items.count - 1))
                var above = [items.count - 1]
                for comment in topic.comments {
                    let level = min(comment.level, above.count)
                    above.removeLast(above.count - level)
                    let name = "c-\(comment.author)-\(comment.time)"
                    items.append(
                        ThreadItem(
                            kind: .comment, level: level, id: "\(name)-\(items[above[level - 1]].name)", name: name,
                            parent: above[level - 1], author: comment.author, timestamp: comment.time,
                            text: comment.text, file: "sections/\(topic.text).html"))
                    above.append(items.count - 1)
                }
            }
            return items
        }

        static let words = "arch stone bridge wide long river boat mill ford bank tower gate road field".split(
            separator: " ")

        static func text(_ random: inout SeededGenerator) -> String {
            (0..<Int.random(in: 1...9, using: &random)).map { _ in String(words.randomElement(using: &random) ?? "") }
                .joined(separator: " ")
        }

        static func comment(_ random: inout SeededGenerator) -> Comment {
            Comment(
                author: ["Ann", "Ben", "Cem"].randomElement(using: &random) ?? "",
                time: .random(in: 0...50, using: &random),
                level: .random(in: 1...4, using: &random), text: text(&random))
        }

        static func topic(_ random: inout SeededGenerator) -> Topic {
            Topic(
                text: String(words.randomElement(using: &random) ?? ""), level: .random(in: 2...3, using: &random),
                comments: (0..<Int.random(in: 0...5, using: &random)).map { _ in comment(&random) })
        }

        mutating func change(_ random: inout SeededGenerator) {
            guard let topic = topics.indices.randomElement(using: &random) else {
                topics.append(Self.topic(&random))
                return
            }
            let comment = topics[topic].comments.indices.randomElement(using: &random)
            switch Int.random(in: 0...9, using: &random) {
            case 0: topics.insert(Self.topic(&random), at: topic)
            case 1: topics.remove(at: topic)
            case 2: topics[topic].text = Self.text(&random)
            case 3: topics.swapAt(topic, topics.indices.randomElement(using: &random) ?? topic)
            case 4: topics[topic].comments.append(Self.comment(&random))
            default:
                guard let comment else { return }
                switch Int.random(in: 0...4, using: &random) {
                case 0: topics[topic].comments.remove(at: comment)
                case 1: topics[topic].comments[comment].text += " " + Self.text(&random)
                case 2: topics[topic].comments[comment].level = Int.random(in: 1...4, using: &random)
                case 3: topics[topic].comments[comment].time += 1
                default:
                    let moved = topics[topic].comments.remove(at: comment)
                    topics[topics.indices.randomElement(using: &random) ?? 0].comments.append(moved)
                }
            }
        }
    }

    private func pages(seed: UInt64) -> (old: [ThreadItem], new: [ThreadItem]) {
        var random = SeededGenerator(seed: seed)
        var page = Page()
        for _ in 0..<Int.random(in: 0...6, using: &random) { page.topics.append(Page.topic(&random)) }
        let old = page.items
        for _ in 0..<Int.random(in: 1...8, using: &random) { page.change(&random) }
        return (old, page.items)
    }

    @Test(arguments: 0..<400) func theOtherWayRoundHasTheSameChanges(seed: UInt64) {
        let (old, new) = pages(seed: seed)
        let forwards = DiscussionDiff(from: old, to: new)
        let backwards = DiscussionDiff(from: new, to: old)
        for (index, before) in forwards.oldIndices.enumerated() {
            if let before { #expect(backwards.oldIndices[before] == index, "seed \(seed)") }
        }
        for kind in DiscussionDiff.Kind.allCases {
            let opposite: DiscussionDiff.Kind = kind == .added ? .removed : kind == .removed ? .added : kind
            #expect(
                forwards.changes.count { $0.kinds.contains(kind) }
                    == backwards.changes.count { $0.kinds.contains(opposite) }, "seed \(seed), \(kind)")
        }
        #expect(forwards.commentsAdded.count == backwards.commentsRemoved.count, "seed \(seed)")
        #expect(forwards.topicsRemoved.count == backwards.topicsAdded.count, "seed \(seed)")
        #expect(forwards == DiscussionDiff(from: old, to: new), "seed \(seed)")
    }

    @Test(arguments: 0..<400) func everyItemIsAccountedForOnce(seed: UInt64) {
        let (old, new) = pages(seed: seed)
        let diff = DiscussionDiff(from: old, to: new)
        #expect(DiscussionDiff(from: new, to: new).isEmpty, "seed \(seed)")
        let paired = diff.oldIndices.compactMap { $0 }
        #expect(Set(paired).count == paired.count, "seed \(seed)")
        #expect(diff.changes.count { $0.kinds == [.added] } == new.count - paired.count, "seed \(seed)")
        #expect(diff.changes.count { $0.kinds == [.removed] } == old.count - paired.count, "seed \(seed)")
        #expect(
            Set(diff.changes.compactMap(\.newIndex)).count == diff.changes.compactMap(\.newIndex).count, "seed \(seed)")
        #expect(
            Set(diff.changes.compactMap(\.oldIndex)).count == diff.changes.compactMap(\.oldIndex).count, "seed \(seed)")
        // Headings and what stayed of the page are told in its order.
        let order = diff.sections.compactMap(\.heading?.newIndex)
        #expect(order == order.sorted(), "seed \(seed)")
        for (index, before) in diff.oldIndices.enumerated() {
            guard let before, old[before].kind == .comment, old[before].author != new[index].author else { continue }
            #expect(old[before].text == new[index].text, "seed \(seed)")
        }
    }
}
