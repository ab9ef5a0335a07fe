/// Estimates, before gumbo sees a text, how deep its tree gets and how much work it makes.
///
/// gumbo looks through all open elements for many a tag and for each letter inside a formatting element, so nesting
/// costs the square of its depth; and formatting elements that are never closed are copied into each following
/// paragraph. The scan reads tags as a tokenizer does and keeps a stack as a tree builder does, without building
/// anything. It may take strange text for deeper than it is, hardly for flatter; what it misses still ends at the limit
/// of the parser's memory.
struct HTMLComplexity {
    private struct Open {
        var name: HTMLTagName
        /// Serial number in `formatting`; 0 for what is not a formatting element that may be reopened.
        var serial: UInt32 = 0
    }

    private struct Formatting {
        /// 0 for the marker that a table cell sets.
        var serial: UInt32
        var name: HTMLTagName
        var hash: UInt64
        var isOpen: Bool
    }

    private let limits: HTMLLimits
    private var open: [Open] = []
    private var formatting: [Formatting] = []
    /// Entries of `formatting` after its last marker that are not open.
    private var closedFormatting = 0
    private var serial: UInt32 = 0
    private var paragraphs = 0
    private var tables = 0
    private var rootAttributes = 0
    /// Steps of gumbo, about a nanosecond each.
    private var work = 0
    private var error: HTMLError?

    private static let workLimit = 1 << 30

    private init(limits: HTMLLimits) { self.limits = limits }

    /// What is wrong with the text, nil when it can be parsed.
    static func error(in text: UnsafeBufferPointer<UInt8>, limits: HTMLLimits) -> HTMLError? {
        var scan = HTMLComplexity(limits: limits)
        var tokens = HTMLTagScanner(text)
        while scan.error == nil, let tag = tokens.next() {
            scan.sawText(bytes: tag.textBytes)
            guard !tag.isEnd else { break }
            scan.spend(scan.open.count + 1)
            if tag.isClosing {
                scan.end(tag.name)
            } else if let raw = scan.start(tag) {
                tokens.skipRawText(until: raw)
            }
            if scan.open.count > limits.depth || scan.formatting.count > limits.openFormatting {
                scan.error = .tooDeep
            }
        }
        return scan.error
    }

    private mutating func spend(_ steps: Int) {
        work += steps
        if work > Self.workLimit { error = .tooDeep }
    }

    private mutating func sawText(bytes: Int) {
        guard bytes > 0, let last = formatting.last, last.serial != 0 else { return }
        reopenFormatting()
        let (cost, isTooMuch) = bytes.multipliedReportingOverflow(by: open.count)
        spend(isTooMuch ? Self.workLimit + 1 : cost)
    }

    // MARK: Start tags

    /// Returns the name whose end tag ends the raw text that the tag begins.
    private mutating func start(_ tag: HTMLTagScanner.Tag) -> HTMLTagName? {
        var name = tag.name
        if tag.attributes > limits.attributes { error = .tooLarge(limit: limits.treeBytes) }
        if name == .image { name = .img }
        let roles = name.roles
        if roles.contains(.root) {
            // Its attributes are compared with all that the root has.
            rootAttributes += tag.attributes
            if rootAttributes > limits.attributes { error = .tooLarge(limit: limits.treeBytes) }
            return nil
        }
        if roles.contains(.tablePart) {
            guard tables > 0 else { return nil }
            openTablePart(name)
            return nil
        }
        if roles.contains(.closesParagraph), paragraphs > 0 { closeParagraph() }
        if roles.contains(.listItem) { closeItem(like: name) }
        if roles.contains(.heading), let top = open.last, top.name.roles.contains(.heading) { pop() }
        if roles.contains(.option), open.last?.name == .option { pop() }
        if !roles.contains(.special) || roles.contains(.marker) { reopenFormatting() }
        if roles.contains(.formatting) {
            openFormatting(name, hash: tag.hash)
        } else if !roles.contains(.void) {
            push(Open(name: name))
        }
        return roles.contains(.rawText) ? name : nil
    }

    private mutating func push(_ entry: Open) {
        open.append(entry)
        if entry.name == .p { paragraphs += 1 }
        if entry.name == .table { tables += 1 }
        if entry.name.roles.contains(.marker) {
            formatting.append(Formatting(serial: 0, name: entry.name, hash: 0, isOpen: true))
            closedFormatting = 0
        }
    }

    private mutating func openFormatting(_ name: HTMLTagName, hash: UInt64) {
        if name == .a || name == .nobr, let index = lastFormatting(name) { removeFormatting(index) }
        var same = 0
        var earliest = 0
        for index in formatting.indices.reversed() {
            guard formatting[index].serial != 0 else { break }
            if formatting[index].hash == hash {
                same += 1
                earliest = index
            }
        }
        spend(formatting.count)
        if same >= 3 {
            let removed = formatting.remove(at: earliest)
            if !removed.isOpen { closedFormatting -= 1 }
        }
        serial += 1
        formatting.append(Formatting(serial: serial, name: name, hash: hash, isOpen: true))
        open.append(Open(name: name, serial: serial))
    }

    /// Opens again what a paragraph or a block left unclosed, as the next text or inline element does.
    private mutating func reopenFormatting() {
        guard closedFormatting > 0 else { return }
        let first = (formatting.lastIndex { $0.serial == 0 } ?? -1) + 1
        for index in first..<formatting.count where !formatting[index].isOpen {
            formatting[index].isOpen = true
            open.append(Open(name: formatting[index].name, serial: formatting[index].serial))
        }
        closedFormatting = 0
        spend(formatting.count)
    }

    private mutating func closeParagraph() {
        for index in open.indices.reversed() {
            let name = open[index].name
            if name == .p { return pop(to: index) }
            if name.roles.contains(.boundary) || name == .button { return }
        }
    }

    private mutating func closeItem(like name: HTMLTagName) {
        for index in open.indices.reversed() {
            let other = open[index].name
            if name == .li ? other == .li : other == .dd || other == .dt { return pop(to: index) }
            if other.roles.contains(.special), other != .div, other != .p, other != .address { return }
        }
    }

    private mutating func openTablePart(_ name: HTMLTagName) {
        // The row, row group or table that takes the part.
        for index in open.indices.reversed() {
            let other = open[index].name
            let takes =
                switch name {
                case .td, .th: other == .tr || other == .table
                case .tr: other.roles.contains(.rowGroup) || other == .table
                default: other == .table
                }
            if takes {
                pop(to: index + 1)
                break
            }
        }
        if !name.roles.contains(.void) { push(Open(name: name)) }
    }

    // MARK: End tags

    private mutating func end(_ name: HTMLTagName) {
        if let top = open.last, top.name == name, top.serial == 0 || isLastFormatting(top.serial) {
            return removeTop()
        }
        if name.roles.contains(.formatting), let index = lastFormatting(name) { return removeFormatting(index) }
        for index in open.indices.reversed() {
            let other = open[index].name
            if other == name || (name.roles.contains(.heading) && other.roles.contains(.heading)) {
                return pop(to: index)
            }
            if other == .select, name != .option, name != .optgroup { return }
            if name.roles.contains(.tablePart) || name == .table {
                if other == .table { return }
            } else if name.roles.contains(.special) {
                if other.roles.contains(.boundary) { return }
                if name == .p, other == .button { return }
                if name == .li, other == .ul || other == .ol { return }
            } else if other.roles.contains(.special) {
                return
            }
        }
    }

    private func isLastFormatting(_ serial: UInt32) -> Bool { formatting.last?.serial == serial }

    private mutating func removeTop() {
        if let top = open.last, top.serial != 0 { formatting.removeLast() }
        pop()
    }

    private func lastFormatting(_ name: HTMLTagName) -> Int? {
        for index in formatting.indices.reversed() {
            if formatting[index].serial == 0 { return nil }
            if formatting[index].name == name { return index }
        }
        return nil
    }

    /// What a formatting element's end tag does: blocks opened inside stay open.
    private mutating func removeFormatting(_ index: Int) {
        let entry = formatting.remove(at: index)
        spend(open.count)
        guard entry.isOpen else {
            closedFormatting -= 1
            return
        }
        guard let position = open.lastIndex(where: { $0.serial == entry.serial }) else { return }
        if open[position...].contains(where: { $0.name.roles.contains(.special) }) {
            open.remove(at: position)
        } else {
            pop(to: position)
        }
    }

    /// Pops all from `index` on.
    private mutating func pop(to index: Int) {
        while open.count > index { pop() }
    }

    private mutating func pop() {
        guard let entry = open.popLast() else { return }
        if entry.name == .p { paragraphs -= 1 }
        if entry.name == .table { tables -= 1 }
        if entry.serial != 0 {
            guard let index = formatting.lastIndex(where: { $0.serial == entry.serial }) else { return }
            formatting[index].isOpen = false
            closedFormatting += 1
        } else if entry.name.roles.contains(.marker), let index = formatting.lastIndex(where: { $0.serial == 0 }) {
            formatting.removeSubrange(index...)
            closedFormatting = 0
            for entry in formatting.reversed() {
                if entry.serial == 0 { break }
                if !entry.isOpen { closedFormatting += 1 }
            }
        }
    }
}
