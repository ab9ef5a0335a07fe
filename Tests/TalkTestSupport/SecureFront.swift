public import Foundation

/// An https server before an http one, with a certificate of an authority of its own (`Tests/Wiki/front.php`).
public final class SecureFront: Sendable {
    /// Scheme, host and port.
    public let url: String
    /// The file with the authority's certificate.
    public let authority: String
    private let process: Process

    /// Starts one in a directory that is empty; `host` is where it listens.
    public init(before address: String, in directory: URL, host: String = "127.0.0.1") throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let upstream = address.replacing("http://", with: "").prefix { $0 != "/" }
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "php", SharedData.repositoryRoot.appending(path: "Tests/Wiki/front.php").path, directory.path,
            String(upstream), host,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let file = directory.appending(path: "port").path
        // It makes its keys first.
        while process.isRunning, !FileManager.default.fileExists(atPath: file) { usleep(10_000) }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw TestWiki.Failure(description: "front.php did not start at \(host)")
        }
        url = "https://\(host):" + String(decoding: data, as: UTF8.self)
        authority = directory.appending(path: "ca.pem").path
    }

    /// Ends it.
    public func stop() { process.terminate() }

    deinit { process.terminate() }
}
