/// A JSON document as it came, for answers whose shape differs between versions of MediaWiki.
///
/// Every subscript and accessor is tolerant: what is missing or of another type is nil.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent that fits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; of equal keys the last one counts.
    case object([String: JSONValue])

    /// The value of a key of an object.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// An element of an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text of a string.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of an integer, or of a string of digits as `formatversion=1` has it.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// The elements of an array; PHP writes an empty object as an array, so the values of an object are not taken.
    public var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object; none for an empty array, which is how PHP writes an empty object.
    public var members: [String: JSONValue]? {
        switch self {
        case .object(let members): members
        case .array([]): [:]
        default: nil
        }
    }

    /// Whether a flag is set: `true`, or present in any other form as `formatversion=1` has it.
    public var isSet: Bool {
        switch self {
        case .bool(let value): value
        case .null: false
        default: true
        }
    }

    /// Whether the flag of that name is set.
    public func flag(_ key: String) -> Bool { self[key]?.isSet ?? false }
}
