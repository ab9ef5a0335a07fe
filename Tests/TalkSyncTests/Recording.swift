import Foundation
import TalkHTTP

@testable import TalkSync

/// An answer of a real wiki, from `Fixtures`.
struct Recording {
    let name: String
    let response: HTTPResponse
    /// The body as JSON text, for a stub to send again.
    let body: String

    /// A file of `Fixtures/exchanges`, named by its number.
    init(_ number: String) throws {
        let directory = Self.fixtures.appending(path: "exchanges")
        let file = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .first { $0.lastPathComponent.hasPrefix(number) }
        guard let file else { throw CocoaError(.fileNoSuchFile) }
        let value = try JSONParser.parse([UInt8](Data(contentsOf: file)))
        self.init(value)
    }

    init(_ value: JSONValue) {
        name = value["name"]?.text ?? ""
        let headers = value["headers"]?.members ?? [:]
        body = value["body"]?.text ?? value["body"].map { String(decoding: $0.encoded, as: UTF8.self) } ?? ""
        response = HTTPResponse(
            status: value["status"]?.integer.map(Int.init) ?? 0,
            headers: headers.map { ($0.key, $0.value.text ?? "") }, body: Array(body.utf8), effectiveURL: "")
    }

    /// The error that decides, also where it stands in the result of a module.
    func error(isWrite: Bool) -> APIError? {
        let answer: JSONValue
        switch APIAnswer.read(response, isWrite: isWrite) {
        case .error(let error): return error
        case .result(let value): answer = value
        }
        if let login = answer["login"] { return MediaWikiAPI.loginRefusal(login) }
        let outcome =
            answer["discussiontoolsedit"] == nil
            ? MediaWikiAPI.outcome(of: answer) : MediaWikiAPI.discussionToolsOutcome(answer)
        if case .refused(let error) = outcome { return error }
        return nil
    }

    /// Every code that the answer names.
    var codes: Set<String> {
        let answer = try? JSONParser.parse(response.body)
        let errors = (answer?["errors"]?.elements ?? []) + (answer?["error"].map { [$0] } ?? [])
        return Set(errors.compactMap { $0["code"]?.text } + [error(isWrite: true)?.code].compactMap { $0 })
    }

    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// The entries of a list of `Fixtures`.
    static func list(_ file: String) throws -> [JSONValue] {
        try JSONParser.parse([UInt8](Data(contentsOf: fixtures.appending(path: file)))).elements ?? []
    }
}

extension JSONValue {
    /// The value as JSON, for stubs.
    var encoded: [UInt8] {
        switch self {
        case .null: Array("null".utf8)
        case .bool(let value): Array(String(value).utf8)
        case .integer(let value): Array(String(value).utf8)
        case .number(let value): Array(String(value).utf8)
        case .string(let text): Self.quoted(text)
        case .array(let elements): [91] + elements.map(\.encoded).joined(separator: [44]) + [93]
        case .object(let members):
            [123]
                + members.sorted { $0.key < $1.key }.map { Self.quoted($0.key) + [58] + $0.value.encoded }
                .joined(separator: [44]) + [125]
        }
    }

    private static func quoted(_ text: String) -> [UInt8] {
        [34]
            + text.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case 34, 92: [92, byte]
                case 0..<32:
                    Array("\\u00".utf8) + Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
                default: [byte]
                }
            } + [34]
    }
}
