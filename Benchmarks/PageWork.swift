import CGumbo
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

/// Times of one thing, done several times, in milliseconds.
struct Timing {
    let median: Double

    static func median(of times: [Double]) -> Double { times.sorted()[times.count / 2] }

    init(runs: Int, _ body: () throws -> Void) rethrows {
        let clock = ContinuousClock()
        median = Self.median(of: try (0..<runs).map { _ in try clock.measure { try body() }.milliseconds })
    }
}

extension Duration {
    var milliseconds: Double { Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15 }
}
