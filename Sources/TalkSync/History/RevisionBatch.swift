internal import TalkPages

/// Revisions that go into the store together, as one pack.
///
/// Neighbouring revisions have most sections in common, so equal ones are kept once.
struct RevisionBatch {
    private(set) var revisions: [(record: RevisionRecord, content: PageContent)] = []
    private var bytes = 0
    private var last: [String: String] = [:]
    /// How many revisions make it full.
    let size: Int

    private static let byteLimit = 8 << 20

    /// A batch for a page that has `cached` revisions.
    ///
    /// Each addition of older ones makes the commits of all newer ones anew, so batches grow with the page. What is lost
    /// when the program is killed is one batch: the first ones are small, so that a slow back-fill comes forward, too.
    init(cached: Int) { size = min(200, max(min(40, 5 + cached), cached / 8)) }

    var isFull: Bool { revisions.count >= size || bytes >= Self.byteLimit }

    mutating func append(_ record: RevisionRecord, _ content: PageContent) {
        var content = content
        var current: [String: String] = [:]
        content.lede = share(content.lede, as: "", &current)
        for index in content.sections.indices {
            let section = content.sections[index]
            content.sections[index].html = share(section.html, as: section.file, &current)
        }
        last = current
        revisions.append((record, content))
    }

    private mutating func share(_ html: String, as file: String, _ current: inout [String: String]) -> String {
        let shared: String
        if let known = last[file], known == html {
            shared = known
        } else {
            bytes += html.utf8.count
            shared = html
        }
        current[file] = shared
        return shared
    }
}
