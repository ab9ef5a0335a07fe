import CGumbo
import Foundation
import TalkHTML
import TalkPages

/// What is done to a page between the wiki's answer and the store, and the peer.
enum PageWork {
    /// Parses, makes canonical and finds the comments; gives their number.
    @discardableResult
    static func all(_ html: String) throws -> Int {
        let content = try CanonicalPage.content(of: html, wiki: GeneratedPage.wiki)
        return try ThreadParser(wiki: GeneratedPage.wiki, title: "Talk:Bench").items(of: content).count
    }

    /// gumbo alone: its tree is made and thrown away.
    static func bareGumbo(_ html: String) {
        var html = html
        html.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                var options = kGumboDefaultOptions
                options.max_errors = 0
                guard let output = gumbo_parse_with_options(&options, bytes.baseAddress, bytes.count) else { return }
                gumbo_destroy_output(&options, output)
            }
        }
    }
}

/// Times of one thing, done several times.
struct Timing {
    let median: Double

    init(runs: Int, _ body: () throws -> Void) rethrows {
        var times: [Double] = []
        let clock = ContinuousClock()
        for _ in 0..<runs {
            let time = try clock.measure { try body() }
            times.append(Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15)
        }
        median = times.sorted()[runs / 2]
    }
}

/// Runs a program to its end.
enum Child {
    /// The time of the whole process, output thrown away.
    static func run(_ command: String, environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(command: command) }
    }

    struct Failure: Error { let command: String }

    /// The largest resident size of any child so far, in megabytes.
    static var peakMegabytes: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }
}
