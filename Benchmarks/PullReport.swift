import Foundation
import Synchronization
import TalkHTTP
import TalkPages
import TalkServer
import TalkStore
import TalkSync

/// What a pull costs beside the wiki's own work, against a real MediaWiki.
///
/// `GIT_TALK_BENCH_CONTROL` is the control program of a wiki of `Tests/Wiki`; without it there are no such figures.
enum PullReport {
    static func run() async throws {
        guard let control = ProcessInfo.processInfo.environment["GIT_TALK_BENCH_CONTROL"] else { return }
        let directory = try ScratchDirectory()
        let store = try Store.create(at: directory.path)
        let proxy = try CountingProxy(before: address(control))
        var wiki = try await client(proxy).siteInfo()
        wiki.api = proxy.api

        // 300 KB of HTML; the older revisions of a page are in no cache of the wiki.
        _ = try Child(
            """
            for n in 1 2 3; do for page in 'Weather station/Data' 'Old stone bridge' 'Old stone bridge/Archive 1' \
            'Town library/Opening hours: "late" Tuesdays?'; do "\(control)" text "Talk:$page" && echo || exit 1; done; done \
            | "\(control)" edit 'Talk:Bench page' Bob
            "\(control)" big 160000
            for n in 1 2; do for page in 'Bench page' 'Big page'; do printf '\\n\\n== More ==\\nText. ~~~~\\n' \
            | "\(control)" append "Talk:$page" Bob || exit 1; done; done
            """)
        try await page("Bench page", "templates, tables, links", "<= 0.10", wiki, store, proxy)
        try await page("Big page", "plain text", "", wiki, store, proxy)
        let edits = """
            for n in $(seq 1 210); do printf '\\n\\n== Topic %s ==\\nText %s. ~~~~\\n' $n $n \
            | "\(control)" append 'Talk:Bench history' Bob || exit 1; done
            """
        _ = try Child(edits)
        try await history("Bench history", wiki, store, proxy)
    }

    private static func client(_ proxy: CountingProxy) -> MediaWikiAPI {
        MediaWikiAPI(endpoint: proxy.api, settings: NetworkSettings(userAgent: "git-talk-bench/1 (local)"))
    }

    private static func address(_ control: String) throws -> String {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: control)
        process.arguments = ["url", "api"]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The first pull of a large page: all the time that its requests do not take is ours.
    private static func page(
        _ title: String, _ kind: String, _ bar: String, _ wiki: Wiki, _ store: Store, _ proxy: CountingProxy
    ) async throws {
        let name = PageName(wiki: wiki.key, namespace: "Talk", title: title)
        let puller = PagePuller(api: client(proxy), store: store, wiki: wiki, history: 3, now: 0)
        proxy.reset()
        let wall = try await ContinuousClock().measure { _ = try await puller.pull(name) }
        line(
            "first pull, three revisions of 300 KB (\(kind))",
            "\(milliseconds(wall)) ms, wiki \(milliseconds(proxy.spent)) ms", "")
        line("  time outside the wiki", text(1 - proxy.spent / wall), bar)
    }

    private static func history(_ title: String, _ wiki: Wiki, _ store: Store, _ proxy: CountingProxy) async throws {
        let name = PageName(wiki: wiki.key, namespace: "Talk", title: title)
        let api = client(proxy)
        proxy.reset()
        let packs = try store.packing().packs
        let wall = try await ContinuousClock().measure {
            _ = try await PagePuller(api: api, store: store, wiki: wiki, history: 3, now: 0).pull(name)
            _ = try await HistoryPuller(api: api, store: store, wiki: wiki).pull(name, .newest(200))
        }
        let count = try await store.records(of: name).count
        line("pull --history 200", "\(milliseconds(wall)) ms, wiki \(milliseconds(proxy.spent)) ms", "")
        line("  requests a revision", text(Double(proxy.count) / Double(count)), "<= 1.1")
        line("  time outside the wiki", text(1 - proxy.spent / wall), "")
        line("  packs", String(try store.packing().packs - packs), "")
        let revisions = try await store.records(of: name)
        let counting = try await ContinuousClock().measure {
            _ = try await PageThreads(store: store, wiki: wiki).commentChanges(of: name, in: revisions)
        }
        line("log of 200 revisions: comments counted", "\(milliseconds(counting)) ms", "")
    }

    private static func milliseconds(_ time: Duration) -> String { text(time / .milliseconds(1), 0) }
}

/// Hands requests on to a wiki, and knows how many they were and how long the wiki took.
private final class CountingProxy: Sendable {
    private let server: LoopbackServer
    private let figures: Figures

    private final class Figures: Sendable {
        let kept = Mutex((count: 0, spent: Duration.zero))
    }

    init(before target: String) throws {
        let figures = Figures()
        server = try LoopbackServer { request in
            let query = request.query.isEmpty ? "" : "?" + FormBody.encode(request.query)
            let forwarded = HTTPRequest(
                request.method == "POST" ? .post : .get, target + query, form: request.form)
            let clock = ContinuousClock(), start = clock.now
            guard var connection = try? HTTPConnection(HTTPConfiguration(userAgent: "git-talk-bench/1 (local)")),
                let response = try? connection.perform(forwarded)
            else { return .close }
            figures.kept.withLock { kept in
                kept.count += 1
                kept.spent += clock.now - start
            }
            let type = response.header("Content-Type").map { [("Content-Type", $0)] } ?? []
            return .response(ServerResponse(status: response.status, headers: type, body: response.body))
        }
        self.figures = figures
    }

    var api: String { server.url + "/w/api.php" }
    var count: Int { figures.kept.withLock(\.count) }
    var spent: Duration { figures.kept.withLock(\.spent) }
    func reset() { figures.kept.withLock { $0 = (0, .zero) } }
}
