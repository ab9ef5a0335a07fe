/// A request as a server received it.
public struct ServerRequest: Sendable {
    /// `GET`, `POST`, `HEAD`.
    public let method: String
    /// The path, percent-decoded; it may hold anything, `..` and `/` from `%2F` included.
    public let path: String
    /// The path as it came.
    public let rawPath: String
    /// The fields of the query in order, decoded.
    public let query: [(String, String)]
    /// The headers in order, names as they came.
    public let headers: [(String, String)]
    /// The body; empty when there is none.
    public let body: [UInt8]

    init(method: String, uri: String, headers: [(String, String)], body: [UInt8]) {
        self.method = method
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        rawPath = parts.first.map(String.init) ?? ""
        path = Self.decode(rawPath.utf8, plusIsSpace: false)
        query = parts.count == 2 ? Self.fields(parts[1].utf8) : []
        self.headers = headers
        self.body = body
    }

    /// The first header of that name; case does not matter.
    public func header(_ name: String) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }

    /// The fields of a body of type `application/x-www-form-urlencoded`.
    public var form: [(String, String)] {
        let type = header("Content-Type") ?? ""
        return type.lowercased().hasPrefix("application/x-www-form-urlencoded") ? Self.fields(body) : []
    }

    private static func fields(_ bytes: some Sequence<UInt8>) -> [(String, String)] {
        Array(bytes).split(separator: UInt8(ascii: "&")).map { field in
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { decode($0, plusIsSpace: true) }
            return (parts[0], parts.count == 2 ? parts[1] : "")
        }
    }

    private static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool) -> String {
        let bytes = Array(bytes)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 1 < bytes.count, let high = hex(bytes[index]),
                let low = hex(bytes[index + 1])
            {
                decoded.append(high << 4 | low)
                index += 2
            } else {
                decoded.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
