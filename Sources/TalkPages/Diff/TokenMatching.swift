/// The common tokens of two sequences: Myers' greedy algorithm, with a bound.
///
/// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1, 1986.
enum TokenMatching {
    /// How many insertions and deletions are looked for at most; time and memory grow with its square.
    static let maximalEdits = 512

    /// For each token of `old` the token of `new` that it is; nil when the two differ in too much.
    static func matches(_ old: ArraySlice<Int32>, _ new: ArraySlice<Int32>) -> [(old: Int, new: Int)]? {
        let a = Array(old)
        let b = Array(new)
        let bound = min(a.count + b.count, maximalEdits)
        // The furthest place in `a` on each diagonal, by the number of edits; diagonal k is at k + bound + 1.
        var furthest = [Int32](repeating: 0, count: 2 * bound + 3)
        var steps: [[Int32]] = []
        for edits in 0...bound {
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let place = diagonal + bound + 1
                var x: Int
                if diagonal == -edits || diagonal != edits && furthest[place - 1] < furthest[place + 1] {
                    x = Int(furthest[place + 1])
                } else {
                    x = Int(furthest[place - 1]) + 1
                }
                while x < a.count, x - diagonal < b.count, a[x] == b[x - diagonal] { x += 1 }
                furthest[place] = Int32(x)
                if diagonal == a.count - b.count, x == a.count {
                    steps.append([])
                    return walkBack(a, b, steps, bound: bound).map { ($0 + old.startIndex, $1 + new.startIndex) }
                }
            }
            steps.append(Array(furthest[(bound + 1 - edits)...(bound + 1 + edits)]))
        }
        return nil
    }

    /// Follows the way from the end to the start; `steps[d]` has the diagonals from -d to d after d edits.
    private static func walkBack(
        _ a: [Int32], _ b: [Int32], _ steps: [[Int32]], bound: Int
    ) -> [(old: Int, new: Int)] {
        var result: [(old: Int, new: Int)] = []
        var x = a.count
        var y = b.count
        var edits = steps.count - 1
        while edits > 0 {
            let diagonal = x - y
            let before = steps[edits - 1]
            func reached(_ diagonal: Int) -> Int {
                let place = diagonal + edits - 1
                return before.indices.contains(place) ? Int(before[place]) : -1
            }
            let isInsertion =
                diagonal == -edits || diagonal != edits && reached(diagonal - 1) < reached(diagonal + 1)
            let from = isInsertion ? diagonal + 1 : diagonal - 1
            let startX = reached(from)
            let startY = startX - from
            let (firstX, firstY) = isInsertion ? (startX, startY + 1) : (startX + 1, startY)
            while x > firstX, y > firstY {
                x -= 1
                y -= 1
                result.append((x, y))
            }
            (x, y) = (startX, startY)
            edits -= 1
        }
        while x > 0, y > 0 {
            x -= 1
            y -= 1
            result.append((x, y))
        }
        return result.reversed()
    }
}
