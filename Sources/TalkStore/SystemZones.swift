internal import TalkGit
public import TalkPages

/// The machine's time zone database.
public enum SystemZones {
    private static let directory = "/usr/share/zoneinfo/"

    /// The rules of an IANA zone; nil when the machine does not know it, and for UTC, which needs none.
    public static func rules(_ name: String) -> TimeZoneRules? {
        // The name comes from a wiki: it must not lead anywhere else.
        guard !name.isEmpty, name != "UTC", !name.hasPrefix("/"), !name.contains("..") else { return nil }
        guard let bytes = (try? Files.read(directory + name)) ?? nil else { return nil }
        return TimeZoneRules(tzif: bytes)
    }
}
