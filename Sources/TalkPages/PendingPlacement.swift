/// temp
public enum PendingPlacement {
    /// temp
    public static func insert(_ reply: PendingReply, in content: PageContent, wiki: Wiki, title: String, zone: TimeZoneRules) throws(TalkError) -> PageContent { content }
}
