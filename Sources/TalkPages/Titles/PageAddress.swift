internal import Foundation

/// What a user typed to name a page: an address of it, or a title.
public enum PageAddress: Hashable, Sendable {
    /// An address; which wiki it belongs to, the wikis that are known or the network must tell.
    case url(URLParts)
    /// A title, not checked.
    case title(String)

    /// Tells an address from a title.
    ///
    /// `https://…`, `//…`, and `host.example/wiki/…` or `host.example/w/…` without a scheme are addresses. Hosts of
    /// Wikimedia's mobile sites become those of the sites themselves. Throws `invalid` for an address that cannot be read.
    public static func parse(_ typed: String) throws(TalkError) -> PageAddress {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        let lowered = text.prefix(8).lowercased()
        let address: String
        if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") {
            address = text
        } else if text.hasPrefix("//") {
            address = "https:" + text
        } else if isAddressWithoutScheme(text) {
            address = "https://" + text
        } else {
            return .title(text)
        }
        // Browsers show addresses with spaces in them; people copy what they see.
        guard var parts = URLParts(address.replacing(" ", with: "%20")) else {
            if AddressSecrets.hidden(in: address) != address {
                throw TalkError(
                    .invalid, "the address has a name or a password in it, which is not used",
                    hint: "leave out what stands before the @; a password is asked for by: git talk login")
            }
            throw TalkError(
                .invalid, "“\(text.prefix(300))” is not an address that can be used", hint: "try the page's title")
        }
        parts.host = MobileHost.canonical(parts.host)
        return .url(parts)
    }

    /// `host.example/wiki/…`, `host.example:8080/w/…`.
    private static func isAddressWithoutScheme(_ text: String) -> Bool {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == "wiki" || parts[1] == "w" else { return false }
        let authority = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        let labels = authority[0].split(separator: ".", omittingEmptySubsequences: false)
        let isHost = labels.allSatisfy { label in
            !label.isEmpty && label.unicodeScalars.allSatisfy { $0 == "-" || $0.isASCII && isLetterOrDigit($0) }
        }
        let isPort = authority.count == 1 || authority.count == 2 && Int(authority[1]) != nil
        return labels.count >= 2 && isHost && isPort
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
}

/// The mobile sites of Wikimedia's wikis, which hold the same pages.
enum MobileHost {
    private static let families: Set = [
        "wikipedia", "wiktionary", "wikibooks", "wikinews", "wikiquote", "wikisource", "wikiversity", "wikivoyage",
        "wikimedia", "wikidata", "mediawiki", "wikifunctions",
    ]

    /// `en.m.wikipedia.org` is `en.wikipedia.org`, `m.wikidata.org` is `www.wikidata.org`.
    static func canonical(_ host: String) -> String {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard labels.count >= 3, labels.last == "org", families.contains(labels[labels.count - 2]),
            let mobile = labels.firstIndex(of: "m"), mobile < labels.count - 2
        else { return host }
        labels.remove(at: mobile)
        if labels.count == 2 { labels.insert("www", at: 0) }
        return labels.joined(separator: ".")
    }
}

/// What an address means on a wiki.
public enum AddressMatch: Hashable, Sendable {
    /// It leads to another site.
    case otherWiki
    /// It leads to this wiki, but names no page.
    case noPage
    /// It names a page: the text of the title, what follows `#`, and the revision where it names one.
    case page(title: String, fragment: String?, revision: RevisionID?)
}

extension Wiki {
    /// What an address means here.
    public func match(_ address: URLParts) -> AddressMatch {
        guard let own = URLParts(server), own.host == MobileHost.canonical(address.host), own.port == address.port
        else { return .otherWiki }
        let revision = address.value("oldid").flatMap { Int64($0) }.flatMap { $0 > 0 ? RevisionID(rawValue: $0) : nil }
        let found = { (title: String) -> AddressMatch in
            title.isEmpty ? .noPage : .page(title: title, fragment: address.fragment, revision: revision)
        }
        let path = URLParts.decoded(address.path)
        let root = String(script.prefix(upTo: script.lastIndex(of: "/") ?? script.startIndex))
        let isScript = path == script || path.hasPrefix(script + "/") || path == root + "/" || path == "/"
        if isScript, let title = address.value("title") { return found(title) }
        if path.hasPrefix(script + "/") { return found(String(path.dropFirst(script.count + 1))) }
        if isScript { return .noPage }
        let pattern = articlePath.prefix { $0 != "?" }.split(separator: "$1", omittingEmptySubsequences: false)
        guard pattern.count == 2, path.hasPrefix(pattern[0]), path.hasSuffix(pattern[1]),
            path.count >= pattern[0].count + pattern[1].count
        else {
            // Another wiki of the same server lives beside this one; what belongs to this one's scripts is its own.
            return path.hasPrefix(root + "/") && !root.isEmpty ? .noPage : .otherWiki
        }
        if let title = address.value("title") { return found(title) }
        return found(String(path.dropFirst(pattern[0].count).dropLast(pattern[1].count)))
    }

    /// The key of a wiki: host, the port where it is not the scheme's own, the script path where it is not `/w`.
    ///
    /// `https://en.wikipedia.org` and `/w` give `en.wikipedia.org`; `http://127.0.0.1:8080` and an empty path give
    /// `127.0.0.1:8080/`.
    public static func key(server: String, scriptPath: String) -> String {
        let parts = URLParts(server.hasPrefix("//") ? "https:" + server : server)
        let host = parts.map { MobileHost.canonical($0.host) + ($0.port.map { ":\($0)" } ?? "") } ?? server
        switch scriptPath {
        case "/w": return host
        case "": return host + "/"
        default: return host + (scriptPath.hasPrefix("/") ? "" : "/") + scriptPath
        }
    }
}
