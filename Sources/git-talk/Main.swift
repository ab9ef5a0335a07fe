internal import TalkCommands

@main struct Main {
    static func main() async {}
}
