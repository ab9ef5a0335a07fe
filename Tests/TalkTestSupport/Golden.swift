internal import Foundation
public import Testing

/// Compares `text` with the file `Golden/<name>` beside the calling test.
///
/// `GIT_TALK_UPDATE_GOLDEN=1 swift test` writes it instead.
public func expectGolden(
    _ text: String, _ name: String, filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: filePath).deletingLastPathComponent().appending(components: "Golden", name)
    if ProcessInfo.processInfo.environment["GIT_TALK_UPDATE_GOLDEN"] == "1" {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text == expected, "\(name) differs", sourceLocation: sourceLocation)
}
