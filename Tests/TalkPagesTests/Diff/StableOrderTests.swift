import Testing

@testable import TalkPages

@Suite struct StableOrderTests {
    private func moved(_ order: [Int], weights: [Int] = []) -> [Int] {
        StableOrder.moved(
            order.enumerated().map { StableOrder.Element(old: $0, new: $1, weight: weights.isEmpty ? 1 : weights[$0]) }
        ).map(\.old)
    }

    @Test func movesAsFewAsPossible() {
        #expect(moved([]) == [])
        #expect(moved([0, 1, 2, 3]) == [])
        #expect(moved([3, 0, 1, 2]) == [0])
        #expect(moved([1, 2, 3, 0]) == [3])
        #expect(moved([4, 0, 3, 1, 2]).count == 2)
        #expect(moved([3, 2, 1, 0]).count == 3)
        // Places need not follow each other.
        #expect(moved([70, 10, 20]) == [0])
    }

    @Test func movesTheLighterOfTwo() {
        #expect(moved([1, 0], weights: [5, 2]) == [1])
        #expect(moved([1, 0], weights: [2, 5]) == [0])
    }
}
