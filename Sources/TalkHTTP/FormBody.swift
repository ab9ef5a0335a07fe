/// `application/x-www-form-urlencoded`.
public enum FormBody {
    /// Encodes fields in order, but every `token` last: a request that is cut short then lacks its token and is refused.
    public static func encode(_ fields: [(String, String)]) -> String {
        let isToken = { (field: (String, String)) in field.0 == "token" }
        let ordered = fields.filter { !isToken($0) } + fields.filter(isToken)
        return ordered.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986.
    public static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        let hex = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
