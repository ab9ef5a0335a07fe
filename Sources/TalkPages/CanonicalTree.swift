internal import TalkHTML

/// A page's tree on its way to the canonical form.
struct CanonicalTree {
    typealias NodeID = HTMLDocument.NodeID

    var document: HTMLDocument
    /// Whether the HTML of the tree may be read as another tree.
    var isUnstable: Bool
    /// The node with which each section starts: its heading, or the wrapper that the heading begins.
    var sectionStarts: [(start: NodeID, heading: NodeID)] = []
    /// Same as `sectionStarts`, by the node's index in the document.
    var sectionAtNode: [Int: Int] = [:]
    /// Elements that MediaWiki hides because they are empty, or were before something was put in.
    private var hidden: [NodeID] = []
    /// Elements that a file opened again.
    private var continued: [NodeID] = []

    init(_ document: HTMLDocument) {
        self.document = document
        isUnstable = document.isRepaired
    }
}

// MARK: Cleaning

extension CanonicalTree {
    private enum Action { case keep, drop, unwrap }

    /// Takes out what is not of the page, and what changes from one rendering to the next.
    mutating func clean(_ links: PageLinks) {
        let root = document.root
        var next = document.firstChild(root)
        while let node = next {
            switch document.kind(node) {
            case .root: return
            case .comment:
                next = document.next(afterAllOf: node, in: root)
                document.remove(node)
            case .text:
                next = document.next(afterAllOf: node, in: root)
                joinText(node)
            case .element:
                var action = action(for: node)
                // What goes may be all that kept it from being something else.
                if action == .keep, keep(node, links) { action = self.action(for: node) }
                switch action {
                case .drop:
                    next = document.next(afterAllOf: node, in: root)
                    document.remove(node)
                case .unwrap:
                    next = document.next(after: node, in: root)
                    if !holdsOnlyInline(node), !standsInContainers(node) { isUnstable = true }
                    // It may put a heading where its wrapper looks for one.
                    if let parent = document.parent(node), document.hasClass("mw-heading", parent) { isUnstable = true }
                    document.unwrap(node)
                case .keep:
                    next = document.next(after: node, in: root)
                }
            }
        }
        for node in hidden.reversed() where document.parent(node) != nil && isBlank(node) { removeBlank(node) }
        hidden = []
        let mark = CanonicalPage.continuedAttribute
        for node in continued where document.parent(node) == root { document.rejoin(node, mark: mark) }
        for node in continued {
            document.setAttributes(document.attributes(node).filter { $0.name != mark }, of: node)
        }
        continued = []
    }

    /// Takes a node out and puts the texts around it together.
    private mutating func removeBlank(_ node: NodeID) {
        let next = document.nextSibling(node)
        document.remove(node)
        if let next, document.kind(next) == .text { joinText(next) }
    }

    /// Whether nothing directly inside the element ends an element that it may come to stand in.
    private func holdsOnlyInline(_ node: NodeID) -> Bool {
        let name = document.name(node)
        guard name == "span" || name == "a" || name.startsWithBytes("mw:dt-") else { return false }
        var child = document.firstChild(node)
        while let current = child {
            if document.kind(current) == .element {
                let roles = ElementRoles.of(current, in: document)
                guard roles.isDisjoint(with: [.block, .box, .choice]) else { return false }
            }
            child = document.nextSibling(current)
        }
        return true
    }

    /// Whether the element only stands in elements that take anything, so that what it holds can stand there as well.
    private func standsInContainers(_ node: NodeID) -> Bool {
        var parent = document.parent(node)
        while let current = parent, current != document.root {
            let roles = ElementRoles.of(current, in: document)
            if roles.contains(.cell) { return true }
            guard roles.contains(.plainContainer) else { return false }
            parent = document.parent(current)
        }
        return true
    }

    /// Appends a text node to the text before it, from which something was taken out.
    private mutating func joinText(_ node: NodeID) {
        if document.text(node).isEmpty { return document.remove(node) }
        guard let previous = document.previousSibling(node), document.kind(previous) == .text else { return }
        document.appendText(document.text(node), to: previous)
        document.remove(node)
    }

    private func action(for node: NodeID) -> Action {
        let name = document.name(node)
        let roles = ElementRoles.of(node, in: document)
        if roles.contains(.dropped) { return .drop }
        if roles.contains(.unwrapped) { return .unwrap }
        if name.startsWithBytes("mw:dt-") { return document.firstChild(node) == nil ? .drop : .unwrap }
        let attributes = document.attributes(node)
        guard !attributes.isEmpty else { return name == "span" && isPlaceholder(node) ? .unwrap : .keep }
        switch name {
        case "link": return document.attribute("rel", of: node) == "mw-deduplicated-inline-style" ? .keep : .drop
        case "span": return spanAction(node, attributes)
        case "section": return document.attribute("data-mw-section-id", of: node) != nil ? .unwrap : .keep
        case "a" where document.hasClass("ext-discussiontools-init-timestamplink", node): return .unwrap
        case "div": return divAction(node)
        case "header" where document.hasClass("ext-discussiontools-section", node): return .unwrap
        default: break
        }
        if let words = document.attribute("class", of: node) {
            if words.containsBytes("ext-discussiontools-"), isDiscussionToolsNode(node) { return .drop }
            if words.containsBytes("toc") || name == "nav", isTableOfContents(node) { return .drop }
        }
        return .keep
    }

    private func spanAction(_ node: NodeID, _ attributes: [HTMLDocument.Attribute]) -> Action {
        for attribute in attributes {
            switch attribute.name {
            case "data-mw-comment-start", "data-mw-comment-end", "data-mw-comment-sig": return .unwrap
            case "data-mw-comment" where isPlaceholder(node): return .unwrap
            case "typeof":
                for word in attribute.value.split(separator: " ") {
                    switch word {
                    case "mw:Entity", "mw:Nowiki", "mw:DisplaySpace": return .unwrap
                    case "mw:FallbackId": return .drop
                    case "mw:Transclusion" where isBlank(node): return .unwrap
                    default: break
                    }
                }
            case "class":
                if attribute.value.containsBytes("mw-headline"), document.hasClass("mw-headline", node) {
                    return .unwrap
                }
                if attribute.value.containsBytes("mw-editsection"), isEditSection(node) { return .drop }
                if attribute.value.containsBytes("ext-discussiontools-"), isDiscussionToolsNode(node) { return .drop }
            case "id" where attributes.count == 1 && isFallbackID(attribute.value, node): return .drop
            default: break
            }
        }
        return .keep
    }

    /// Whether it stands for the heading that DiscussionTools misses before the first comment.
    private func isPlaceholder(_ node: NodeID) -> Bool {
        document.firstChild(node).map { document.attribute("data-mw-comment-start", of: $0) != nil } ?? false
    }

    private func divAction(_ node: NodeID) -> Action {
        guard let words = document.attribute("class", of: node) else {
            return document.attribute("id", of: node) == "toc" && isTableOfContents(node) ? .drop : .keep
        }
        if document.hasClass("mw-heading", node), document.children(node).contains(where: isHeading) { return .unwrap }
        if document.parent(node) == document.root, document.hasClass("mw-parser-output", node) { return .unwrap }
        if words.containsBytes("ext-discussiontools-"), isDiscussionToolsNode(node) { return .drop }
        return words.containsBytes("toc") && isTableOfContents(node) ? .drop : .keep
    }

    /// Whether it is SVG or MathML, whose inside is nobody's text.
    func isDrawing(_ node: NodeID) -> Bool { ElementRoles.of(node, in: document).contains(.foreign) }

    func isHeading(_ node: NodeID) -> Bool { ElementRoles.of(node, in: document).contains(.heading) }

    /// Whether all below the node is white space or never stored.
    private func isBlank(_ node: NodeID) -> Bool {
        var child = document.firstChild(node)
        while let current = child {
            switch document.kind(current) {
            case .text: guard isSpace(document.text(current)) else { return false }
            case .element:
                let name = document.name(current)
                guard name == "meta" || name == "link" && action(for: current) == .drop else { return false }
            case .comment, .root: break
            }
            child = document.nextSibling(current)
        }
        return true
    }

    /// What DiscussionTools adds to a page; its class alone, on a heading, is no reason to drop the heading.
    private func isDiscussionToolsNode(_ node: NodeID) -> Bool {
        let words = (document.attribute("class", of: node) ?? "").split(separator: " ")
        return words.contains { Self.discussionToolsClasses.contains($0) }
    }

    private static let discussionToolsClasses = Set<Substring>(
        [
            "replylink-buttons", "replylink-reply", "replylink-bracket", "replybutton", "section-bar",
            "section-metadata", "section-actions", "section-subscribe", "section-subscribeButton",
            "section-overflowMenuButton", "section-ellipsisButton", "pageframe-latestcomment", "sidebar-meta",
            "section-metaitem",
        ].map { "ext-discussiontools-init-\($0)" })

    /// Whether it is the edit link of a heading; templates use the class too, for text.
    private func isEditSection(_ node: NodeID) -> Bool {
        guard document.hasClass("mw-editsection", node), let parent = document.parent(node) else { return false }
        if isHeading(parent) { return true }
        var previous = document.previousSibling(node)
        while let current = previous, document.kind(current) != .element {
            previous = document.previousSibling(current)
        }
        return previous.map(isHeading) ?? false
    }

    private func isTableOfContents(_ node: NodeID) -> Bool {
        guard document.attribute("id", of: node) == "toc" || document.hasClass("toc", node) else { return false }
        var child = document.firstChild(node)
        // The title stands at its beginning.
        for _ in 0..<32 {
            guard let current = child else { return false }
            if document.kind(current) == .element {
                if document.hasClass("toctitle", current) { return true }
                if let id = document.attribute("id", of: current), Self.tocIDs.contains(id) { return true }
            }
            child = document.next(after: current, in: node)
        }
        return false
    }

    private static let tocIDs: Set<String> = ["mw-toc-heading", "toctogglecheckbox"]

    /// Whether it is the empty span that holds a heading's id in the old encoding.
    private func isFallbackID(_ id: String, _ node: NodeID) -> Bool {
        guard document.firstChild(node) == nil, let parent = document.parent(node), isHeading(parent) else {
            return false
        }
        // The old markup has it beside the headline.
        if let next = document.nextSibling(node), document.hasClass("mw-headline", next) { return true }
        return document.attribute("id", of: parent).map { Self.legacyID($0) == id } ?? false
    }

    /// A heading's id as MediaWiki wrote it before HTML 5: other characters as `.XX`.
    private static func legacyID(_ id: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var out = ""
        for byte in id.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x2D, 0x3A:
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default: out += ".\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return out
    }
}

// MARK: Attributes

extension CanonicalTree {
    /// Gives a kept element its canonical name and attributes; tells whether an attribute went.
    private mutating func keep(_ node: NodeID, _ links: PageLinks) -> Bool {
        let name = document.name(node)
        let roles = ElementRoles.of(node, in: document)
        if roles.contains(.emptied) { document.removeChildren(of: node) }
        // The style of a template: one form for the sheet and for the link that stands where it was given before. It
        // stays since the thread parser sees it: a comment can start with it.
        if name == "link" { document.setName("style", of: node) }
        if name == "style" || name == "link" {
            document.setAttributes([], of: node)
            return false
        }
        if name == "plaintext" || name == "xmp" || name == "listing" { document.setName("pre", of: node) }
        var attributes = document.attributes(node)
        if roles.contains(.heading), !attributes.contains(where: { $0.name == "id" && !$0.value.isEmpty }) {
            if let id = anchor(of: node) { attributes.append(.init("id", id)) }
        }
        if name == "a", let own = links.ownAddress, document.hasClass("mw-selflink", node) {
            Self.nameOwnPage(own, in: &attributes)
        }
        guard !attributes.isEmpty else { return false }
        var kept: [HTMLDocument.Attribute] = []
        kept.reserveCapacity(attributes.count)
        for var attribute in attributes where isKept(&attribute, of: node, attributes, links) { kept.append(attribute) }
        if kept.count > 1 { kept.sort { $0.name < $1.name } }
        document.setAttributes(kept, of: node)
        return kept.count < attributes.count
    }

    /// Makes a link of a page to itself one like any other: under another title it leads to the same page as before.
    private static func nameOwnPage(_ address: String, in attributes: inout [HTMLDocument.Attribute]) {
        for index in attributes.indices where attributes[index].name == "class" {
            let words = attributes[index].value.split(separator: " ").filter { $0 != "mw-selflink" && $0 != "selflink" }
            attributes[index].value = words.joined(separator: " ")
        }
        if !attributes.contains(where: { $0.name == "href" }) { attributes.append(.init("href", address)) }
    }

    /// The id that links to a heading use, where it does not stand on the heading itself.
    private func anchor(of heading: NodeID) -> String? {
        if let id = document.attribute("data-mw-anchor", of: heading), !id.isEmpty { return id }
        var child = document.firstChild(heading)
        while let node = child {
            if document.kind(node) == .element, document.hasClass("mw-headline", node) {
                return document.attribute("id", of: node)
            }
            child = document.next(after: node, in: heading)
        }
        return nil
    }

    private mutating func isKept(
        _ attribute: inout HTMLDocument.Attribute, of node: NodeID, _ all: [HTMLDocument.Attribute], _ links: PageLinks
    ) -> Bool {
        switch attribute.name {
        case "href":
            attribute.value = links.canonical(attribute.value)
            return true
        case "title":
            guard let href = all.first(where: { $0.name == "href" })?.value else { return true }
            if document.hasClass("image", node) || document.hasClass("mw-file-description", node) { return true }
            return !links.isTitleRedundant(attribute.value, href: href)
        case "class":
            if attribute.value.containsBytes("mw-empty-elt") { hidden.append(node) }
            attribute.value = Self.keptClasses(attribute.value)
            return !attribute.value.isEmpty
        case "id": return !attribute.value.isEmpty && (isHeading(node) || !Self.isGeneratedID(attribute.value))
        case "src":
            attribute.value = Self.withoutCacheKey(attribute.value)
            return true
        case "about", "typeof", "resource", "property", "prefix", "rel", "srcset", "sizes", "decoding", "loading",
            "fetchpriority", "nonce", "target":
            return false
        case CanonicalPage.continuedAttribute:
            guard let parent = document.parent(node) else { return false }
            guard parent == document.root || document.attribute(attribute.name, of: parent) != nil else { return false }
            continued.append(node)
            return true
        default:
            return !attribute.name.startsWithBytes("data-") && !attribute.name.startsWithBytes("on")
        }
    }

    /// Drops the words that tell of other pages, of the user or of scripts.
    private static func keptClasses(_ value: String) -> String {
        let words = value.utf8.split(whereSeparator: isSpace).map { Substring($0) }
        if words.count == 1, words[0].utf8.count == value.utf8.count { return isKeptClass(words[0]) ? value : "" }
        return words.filter(isKeptClass).joined(separator: " ")
    }

    private static func isKeptClass(_ word: Substring) -> Bool {
        switch word {
        case "new", "stub", "mw-redirect", "mw-disambig", "mw-headline", "mw-html-heading", "section-heading",
            "collapsible-heading", "open-block":
            false
        default: !word.utf8.starts(with: "ext-discussiontools-".utf8)
        }
    }

    /// Parsoid numbers the elements of the whole page, OOUI its widgets.
    private static func isGeneratedID(_ id: String) -> Bool {
        if id.startsWithBytes("ooui-") { return true }
        guard id.startsWithBytes("mw"), (4...8).contains(id.utf8.count) else { return false }
        return id.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
            default: false
            }
        }
    }

    /// Takes `?20230101` or a hash off the address of an image.
    private static func withoutCacheKey(_ source: String) -> String {
        guard let question = source.utf8.lastIndex(of: UInt8(ascii: "?")) else { return source }
        let key = source.utf8[source.utf8.index(after: question)...]
        let isKey = key.count >= 5 && key.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isKey ? String(source[..<question]) : source
    }
}

/// Whether the text is nothing but ASCII white space.
func isSpace(_ text: String) -> Bool { text.utf8.allSatisfy(isSpace) }

/// Whether the byte is ASCII white space.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C }
