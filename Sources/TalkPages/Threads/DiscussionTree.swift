/// Gives the items of a page their parents, names and ids.
struct DiscussionTree {
    /// Index of the parent of each item.
    private(set) var parents: [Int?]
    /// Index of the oldest comment below each item.
    private(set) var oldest: [Int?]
    private let items: [ScannedItem]

    init(_ items: [ScannedItem]) {
        self.items = items
        parents = [Int?](repeating: nil, count: items.count)
        oldest = parents
        connect()
        findOldest()
    }

    private mutating func connect() {
        var lastHeading: Int?
        // The last item of each level, without and with the pending ones.
        var path: [Int] = []
        var pendingPath: [Int] = []
        for (index, item) in items.enumerated() {
            if item.pending != nil {
                // Never the parent of what the wiki has: its ids must not depend on what is written here.
                parents[index] = item.outerPending
                if item.outerPending == nil, item.headingLevel == nil, !pendingPath.isEmpty {
                    parents[index] = pendingPath[min(item.level, pendingPath.count) - 1]
                }
                while pendingPath.count < item.level, let last = pendingPath.last { pendingPath.append(last) }
                pendingPath.removeSubrange(min(item.level, pendingPath.count)...)
                pendingPath.append(index)
                continue
            }
            // Somebody skipped a level: the last reply stands for the missing ones.
            while path.count < item.level, let last = path.last { path.append(last) }
            if item.isComment {
                if item.level > 0, item.level <= path.count { parents[index] = path[item.level - 1] }
            } else {
                var parent = lastHeading
                while let heading = parent, rank(heading) >= rank(index) { parent = parents[heading] }
                parents[index] = parent
                lastHeading = index
            }
            path.removeSubrange(min(item.level, path.count)...)
            path.append(index)
            pendingPath = path
        }
    }

    /// The placeholder before the first heading ranks below every heading.
    private func rank(_ heading: Int) -> Int { items[heading].headingLevel ?? 99 }

    private mutating func findOldest() {
        for index in items.indices.reversed() {
            guard let parent = parents[index], items[index].pending == nil else { continue }
            // Of equally old ones the first on the page; what is higher up comes later in this loop.
            for candidate in [oldest[index], items[index].isComment ? index : nil] {
                guard let candidate else { continue }
                if let known = oldest[parent], items[known].moment < items[candidate].moment { continue }
                if let known = oldest[parent], items[known].moment == items[candidate].moment, known < candidate {
                    continue
                }
                oldest[parent] = candidate
            }
        }
    }
}

/// Writes names and ids as DiscussionTools does.
struct ThreadIdentifiers {
    /// From this moment on, times in ids are written the short way.
    private let formatSwitch: Int64
    /// Names of users as they stand in ids.
    private var names: [String: String] = [:]
    private var used: Set<String> = []
    /// The next number to try for an id that is taken.
    private var numbers: [String: Int] = [:]

    init(zone: TimeZoneRules) {
        formatSwitch = zone.moment(showing: CalendarTime.seconds(year: 2022, month: 7, day: 12))
    }

    /// The beginning of an id, which does not depend on the parent.
    mutating func own(_ item: ScannedItem, anchor: String) -> String {
        if let pending = item.pending {
            return item.headingLevel == nil ? PendingMark.itemID(pending) : PendingMark.topicID(pending)
        }
        return item.isComment ? "c-" + part(item) : "h-" + anchor
    }

    /// `Alice-20260130120000`, of a comment.
    mutating func part(_ comment: ScannedItem) -> String {
        let author = comment.author ?? ""
        let moment = comment.moment
        if let name = names[author] { return name + "-" + time(moment) }
        let name = Self.cut(author.replacing(" ", with: "_"))
        names[author] = name
        return name + "-" + time(moment)
    }

    func time(_ moment: Int64) -> String {
        let days = CalendarTime.floorDivide(Int(moment), 86_400)
        let date = CalendarTime.date(days: days)
        let minutes = (Int(moment) - days * 86_400) / 60
        let isShort = moment >= formatSwitch
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        func add(_ number: Int, digits: Int, _ separator: Character? = nil) {
            for place in [1000, 100, 10, 1].suffix(digits) { bytes.append(UInt8(48 + number / place % 10)) }
            if !isShort, let byte = separator?.asciiValue { bytes.append(byte) }
        }
        add(date.year, digits: 4, "-")
        add(date.month, digits: 2, "-")
        add(date.day, digits: 2, "T")
        add(minutes / 60, digits: 2, ":")
        add(minutes % 60, digits: 2)
        return String(decoding: bytes, as: UTF8.self) + (isShort ? "00" : ":00.000Z")
    }

    /// The id, with a number when it is taken.
    mutating func unique(_ id: String) -> String {
        if used.insert(id).inserted { return id }
        var number = numbers[id] ?? 1
        while !used.insert("\(id)-\(number)").inserted { number += 1 }
        numbers[id] = number + 1
        return "\(id)-\(number)"
    }

    /// At most 80 bytes of a text, no underscores at the ends.
    static func cut(_ text: String) -> String {
        var bytes = Array(text.utf8)
        if bytes.count > 80 {
            var end = 80
            while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            bytes.removeSubrange(end...)
        }
        let underscore = UInt8(ascii: "_")
        let start = bytes.firstIndex { $0 != underscore } ?? bytes.endIndex
        let end = bytes.lastIndex { $0 != underscore }.map { $0 + 1 } ?? bytes.endIndex
        return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
    }
}
