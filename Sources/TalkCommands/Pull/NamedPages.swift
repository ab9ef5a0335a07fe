internal import TalkPages
internal import TalkStore
internal import TalkSync

/// The pages that the user names, wiki by wiki.
struct NamedPages {
    let context: Context
    let store: Store
    /// Whether redirects are followed.
    let follows: Bool

    /// The pages of one wiki in the order of their names, each once.
    private struct Group {
        let wiki: Wiki
        var pages: [PageName] = []
        var names: [PageName: String] = [:]
    }

    /// Pulls the pages; one that cannot be had does not stop the others, and a wiki that fails stops only its own.
    func pull(_ typed: [String], into results: inout PullResults) async {
        let groups = await groups(typed, &results)
        var progress = ProgressLine(context, pages: groups.map(\.pages.count).reduce(0, +))
        for group in groups {
            var stop: (error: TalkError, page: PageName?)?
            do throws(TalkError) {
                let session = try await WikiSession.open(group.wiki, context: context, store: store).refreshed()
                let round = PullRound(session: session, names: group.names, follows: follows)
                stop = await round.pull(group.pages, &progress, into: &results).stop.map { ($0.error, $0.page) }
            } catch {
                stop = (error, nil)
            }
            guard let stop else { continue }
            context.terminal.tell(stop.error)
            results.errors.append((stop.error, stop.page.flatMap { group.names[$0] }, group.wiki.key))
        }
    }

    private func groups(_ typed: [String], _ results: inout PullResults) async -> [Group] {
        var groups: [Group] = []
        // A server that does not answer is asked once.
        var failed: Set<String> = []
        for name in typed {
            let server = Self.server(name)
            if let server, failed.contains(server) { continue }
            do throws(TalkError) {
                let named = try await WikiSession.name(name, context: context, store: store)
                var place = groups.firstIndex { $0.wiki.key == named.wiki.key }
                if place == nil { groups.append(Group(wiki: named.wiki)) }
                place = place ?? groups.count - 1
                guard let place, groups[place].names[named.page] == nil else { continue }
                groups[place].pages.append(named.page)
                groups[place].names[named.page] = name
            } catch {
                context.terminal.tell(error)
                results.errors.append((error, name, nil))
                if let server, error.reach != .page { failed.insert(server) }
            }
        }
        return groups
    }

    private static func server(_ name: String) -> String? {
        guard case .url(let address)? = try? PageAddress.parse(name) else { return nil }
        return address.server
    }
}
