extension DraftWarning {
    /// Templates that open a box which another one has to close, as `{{Collapse top}}` and `{{Collapse bottom}}` do.
    ///
    /// They are told by their names, since what a template does is not known without its wiki.
    static func openBoxes(_ outline: WikitextOutline) -> [DraftWarning] {
        var open: [String] = []
        var stray: [String] = []
        for span in outline.scan.spans where span.kind == .template {
            let name = Self.name(outline.bytes[span.range])
            switch role(of: name.lowercased()) {
            case .opens: open.append(name)
            case .closes: if open.popLast() == nil { stray.append(name) }
            case .other: break
            }
        }
        return open.map {
            DraftWarning(
                message:
                    "{{\($0)}} has no template after it that closes its box, so what follows on the page goes into it",
                harmsPage: false)
        }
            + stray.map {
                DraftWarning(message: "{{\($0)}} closes a box that this text did not open", harmsPage: false)
            }
    }

    private enum Role { case opens, closes, other }

    private static let openers: Set<String> = ["cot", "hat", "atop", "ctop", "archivetop", "hidden begin"]
    private static let closers: Set<String> = ["cob", "hab", "abot", "cbot", "cbottom", "archivebottom", "hidden end"]

    private static func role(of name: String) -> Role {
        if openers.contains(name) { return .opens }
        if closers.contains(name) { return .closes }
        let words = name.split { $0 == " " || $0 == "-" || $0 == "/" }
        guard words.count > 1, let last = words.last else { return .other }
        if ["top", "begin", "start"].contains(last) { return .opens }
        return ["bottom", "bot", "end"].contains(last) ? .closes : .other
    }

    /// The name of the template in `{{Name|…}}`.
    private static func name(_ call: ArraySlice<UInt8>) -> String {
        let inner = call.dropFirst(2).dropLast(2).prefix(200).prefix { $0 != UInt8(ascii: "|") }
        let name = String(decoding: inner, as: UTF8.self).replacing("_", with: " ").trimming(while: \.isWhitespace)
        return String(name.split(whereSeparator: \.isNewline).first ?? "")
    }
}

extension String {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var text = drop(while: isTrimmed)
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
