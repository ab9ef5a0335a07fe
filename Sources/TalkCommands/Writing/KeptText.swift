internal import Foundation

/// Files for a text that could not be queued.
enum KeptText {
    /// Writes the text to the first of the files that can be written, for its owner alone; nil when none can.
    static func write(_ text: [UInt8], toFirstOf paths: [String]) -> String? {
        paths.first {
            FileManager.default.createFile(
                atPath: $0, contents: Data(text), attributes: [.posixPermissions: 0o600])
        }
    }

    /// Whether a path names a file that can be read again, and no pipe.
    static func isFile(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }
}
