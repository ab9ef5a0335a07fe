internal import CMalloc
internal import Foundation
internal import TalkCommands

@main struct Main {
    static func main() async {
        // One thread works at a time. Each having a heap of its own, what one gave back would be lost to the others: half
        // as much memory again for a large page.
        _ = mallopt(M_ARENA_MAX, 1)
        switch CommandLineWords.all {
        case .success(let words): exit(await runTalk(words, terminal: .standard, surroundings: .process).rawValue)
        case .failure(let broken):
            Terminal.standard.writeError(broken.message)
            exit(ExitCode.usage.rawValue)
        }
    }
}
