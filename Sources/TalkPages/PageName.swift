/// What names a page in a store: wiki key, canonical namespace, title.
///
/// Offline and equal on every machine: the namespace is the canonical English name whatever the wiki calls it.
public struct PageName: Hashable, Codable, Sendable {
    /// The wiki's key: `servername` plus port and script path where they are not the usual ones, not escaped.
    public let wiki: String
    /// Canonical English name of the namespace with spaces (`User talk`); `Main` for namespace 0.
    public let namespace: String
    /// Title without namespace, NFC, with spaces.
    public let title: String

    /// Makes a name from parts that are already normalised.
    public init(wiki: String, namespace: String, title: String) {
        self.wiki = wiki
        self.namespace = namespace
        self.title = title
    }

    /// The title with its canonical namespace, as people write it: `Talk:Bridge`, or `Bridge` in namespace 0.
    public var prefixedTitle: String { namespace == "Main" ? title : "\(namespace):\(title)" }
}

extension PageName: CustomStringConvertible {
    /// The prefixed title; the wiki is named where it matters.
    public var description: String { prefixedTitle }
}
