/// A date in a wiki's signature format, found in a text.
public struct SignatureDate: Hashable, Sendable {
    /// Where it stands, zone included.
    public var range: Range<String.Index>
    /// Seconds since 1970, full minutes.
    public var timestamp: Int64

    /// Makes a date that was found.
    public init(range: Range<String.Index>, timestamp: Int64) {
        self.range = range
        self.timestamp = timestamp
    }
}

/// Finds the dates that a wiki writes into signatures.
public protocol SignatureDates: Sendable {
    /// Every date in `text`, in order, none overlapping.
    func dates(in text: String) -> [SignatureDate]
}
