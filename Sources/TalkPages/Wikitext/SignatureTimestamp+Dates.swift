extension SignatureTimestamp: SignatureDates {
    /// Every date in the text, in order.
    public func dates(in text: String) -> [SignatureDate] {
        var found: [SignatureDate] = []
        var rest = Substring(text)
        while let match = first(in: String(rest)) {
            let start = rest.utf8.index(rest.startIndex, offsetBy: match.range.lowerBound)
            let end = rest.utf8.index(rest.startIndex, offsetBy: match.range.upperBound)
            if let moment = match.moment { found.append(SignatureDate(range: start..<end, timestamp: moment)) }
            rest = rest[end...]
        }
        return found
    }
}
