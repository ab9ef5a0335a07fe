internal import Foundation
internal import TalkCommands

@main struct Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await runTalk(arguments, terminal: .standard, surroundings: .process).rawValue)
    }
}
