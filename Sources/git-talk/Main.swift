internal import CMalloc
internal import Foundation
internal import TalkCommands

@main struct Main {
    static func main() async {
        // One thread works at a time. Each having a heap of its own, what one gave back would be lost to the others: half
        // as much memory again for a large page.
        _ = mallopt(M_ARENA_MAX, 1)
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await runTalk(arguments, terminal: .standard, surroundings: .process).rawValue)
    }
}
