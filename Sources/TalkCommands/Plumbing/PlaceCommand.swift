internal import TalkPages

/// `place --site SITE.json --id ID --indent invisible|bullet --text TEXT PAGE.html`: the page with a reply in place.
struct PlaceCommand {
    private let arguments: PlumbingArguments

    init(_ arguments: ArraySlice<String>) throws(PlumbingError) {
        self.arguments = try PlumbingArguments(
            arguments, options: ["--site", "--id", "--indent", "--text"], files: 1)
    }

    func output() throws(PlumbingError) -> String {
        let parser = try arguments.parser()
        guard let indentation = ReplyIndentation(rawValue: arguments.value("--indent")) else {
            throw .usage("--indent is either invisible or bullet")
        }
        let page = try PlumbingFile.text(arguments.files[0])
        do {
            return try ReplyPlacement.insert(
                arguments.value("--text"), under: arguments.value("--id"), inText: page, parser: parser,
                indentation: indentation)
        } catch {
            throw .failure(error)
        }
    }
}
