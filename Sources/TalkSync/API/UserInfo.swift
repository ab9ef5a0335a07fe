/// As whom a wiki sees this program.
public struct UserInfo: Hashable, Sendable {
    /// The account's name, or the address of this machine.
    public var name: String
    /// Whether nobody is logged in.
    public var isAnonymous: Bool
    /// Whether it is an account that the wiki made up for this visitor.
    public var isTemporary: Bool
    /// Groups.
    public var groups: [String]
    /// Rights, those of the login and not those of the account.
    public var rights: [String]
    /// The block that lies on it.
    public var block: Block?

    /// A block.
    public struct Block: Hashable, Sendable {
        /// Who blocked.
        public var by: String
        /// Why, in the wiki's words.
        public var reason: String
        /// Seconds since 1970; nil for ever.
        public var expiry: Int64?
        /// Whether only some pages are closed.
        public var isPartial: Bool
    }

    /// Whether the login may edit at all.
    public var mayEdit: Bool { rights.contains("edit") && (block == nil || block?.isPartial == true) }

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.text else { return nil }
        self.name = name
        isAnonymous = value.flag("anon")
        isTemporary = value.flag("temp")
        groups = value["groups"]?.elements?.compactMap(\.text) ?? []
        rights = value["rights"]?.elements?.compactMap(\.text) ?? []
        if value["blockid"] != nil {
            block = Block(
                by: value["blockedby"]?.text ?? "", reason: value["blockreason"]?.text ?? "",
                expiry: value["blockexpiry"]?.text.flatMap(APITimestamp.seconds), isPartial: value.flag("blockpartial"))
        }
    }
}
