public import Foundation

/// A small validator for JSON Schema 2020-12, for tests of what this project writes.
///
/// It knows `type`, `const`, `enum`, `required`, `properties`, `additionalProperties`, `items`, `oneOf`, `pattern`,
/// `minimum`, `maximum` and `$ref` within the file, and refuses a schema that uses anything else.
public struct JSONSchema {
    private let root: JSONValue

    /// Reads a schema; throws when it is no JSON.
    public init(_ data: Data) throws { root = try JSONDecoder().decode(JSONValue.self, from: data) }

    /// What is wrong with a document, each with the place; empty when it is valid.
    public func problems(in data: Data) -> [String] {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else { return ["it is no JSON"] }
        return check(value, root, at: "$")
    }

    private static let annotations: Set = ["$schema", "$id", "$defs", "title", "description", "examples", "default"]

    private func check(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        if case .boolean(let allowed) = schema { return allowed ? [] : ["\(place) is not allowed"] }
        guard case .object(let keywords) = schema else { return ["\(place): the schema is no object"] }
        var problems: [String] = []
        for (keyword, argument) in keywords.sorted(by: { $0.key < $1.key }) {
            problems += check(value, keyword, argument, keywords, at: place)
        }
        return problems
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: [String: JSONValue], at place: String
    ) -> [String] {
        switch (keyword, argument) {
        case ("$ref", .string(let reference)):
            guard let target = resolve(reference) else { return ["\(place): the schema has no \(reference)"] }
            return check(value, target, at: place)
        case ("type", .string(let type)):
            return value.is(type) ? [] : ["\(place) is no \(type)"]
        case ("type", .array(let types)):
            let names = types.compactMap(\.text)
            return names.contains(where: value.is) ? [] : ["\(place) is none of \(names)"]
        case ("const", _):
            return value == argument ? [] : ["\(place) is not \(argument)"]
        case ("enum", .array(let values)):
            return values.contains(value) ? [] : ["\(place) is none of the values"]
        case ("required", .array(let names)):
            guard case .object(let members) = value else { return [] }
            return names.compactMap(\.text).filter { members[$0] == nil }.map { "\(place) lacks \($0)" }
        case ("properties", .object(let properties)):
            guard case .object(let members) = value else { return [] }
            return members.sorted { $0.key < $1.key }.flatMap { name, member in
                properties[name].map { check(member, $0, at: "\(place).\(name)") } ?? []
            }
        case ("additionalProperties", _):
            guard case .object(let members) = value else { return [] }
            var known: Set<String> = []
            if case .object(let properties)? = schema["properties"] { known = Set(properties.keys) }
            return members.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.flatMap {
                check($0.value, argument, at: "\(place).\($0.key)")
            }
        case ("items", _):
            guard case .array(let items) = value else { return [] }
            return items.enumerated().flatMap { check($1, argument, at: "\(place)[\($0)]") }
        case ("oneOf", .array(let schemas)):
            let matching = schemas.count { check(value, $0, at: place).isEmpty }
            return matching == 1 ? [] : ["\(place) matches \(matching) of the \(schemas.count) forms"]
        case ("pattern", .string(let pattern)):
            guard let text = value.text else { return [] }
            guard let regex = try? Regex(pattern) else { return ["\(place): the schema's pattern \(pattern) is wrong"] }
            return text.contains(regex) ? [] : ["\(place) does not match \(pattern)"]
        case ("minimum", .number(let minimum)):
            guard case .number(let number) = value else { return [] }
            return number >= minimum ? [] : ["\(place) is below \(minimum)"]
        case ("maximum", .number(let maximum)):
            guard case .number(let number) = value else { return [] }
            return number <= maximum ? [] : ["\(place) is above \(maximum)"]
        default:
            return Self.annotations.contains(keyword) ? [] : ["\(place): the validator does not know \(keyword)"]
        }
    }

    private func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        var value = root
        for part in reference.dropFirst(2).split(separator: "/") {
            guard case .object(let members) = value, let member = members[String(part)] else { return nil }
            value = member
        }
        return value
    }
}

/// Any JSON.
private enum JSONValue: Decodable, Equatable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    func `is`(_ type: String) -> Bool {
        switch (self, type) {
        case (.null, "null"), (.boolean, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }
}
