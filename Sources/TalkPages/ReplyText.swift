internal import Foundation

/// The text of a reply as it is kept.
public enum ReplyText {
    /// Line ends as LF and characters as NFC, as the wiki makes them on saving; every other byte stays.
    public static func normalized(_ text: String) -> String {
        text.precomposedStringWithCanonicalMapping.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}
