/// The attribute that marks a pending reply in a page: `id="pending-<id>"`, with `-2`, `-3` for its further lines.
///
/// The first line of a topic is its heading.
struct PendingMark: Hashable, Sendable {
    /// Id of the pending reply.
    var pending: String
    /// Which of its lines, from 1 on.
    var line: Int

    init(pending: String, line: Int) {
        self.pending = pending
        self.line = line
    }

    /// Reads the value of an `id` attribute; nil when it is none.
    init?(id: String) {
        guard id.utf8.starts(with: "pending-".utf8) else { return nil }
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, !parts[1].isEmpty else { return nil }
        pending = String(parts[1])
        line = 1
        if parts.count == 3 {
            guard let number = Int(parts[2]), number > 1 else { return nil }
            line = number
        }
    }

    /// The value of the `id` attribute.
    var id: String { line == 1 ? "pending-\(pending)" : "pending-\(pending)-\(line)" }
    /// The id of the item in a tree.
    static func itemID(_ pending: String) -> String { "pending:\(pending)" }
    /// The id of a pending topic's heading in a tree; what stands below it has the other one.
    static func topicID(_ pending: String) -> String { "h-" + itemID(pending) }
}
