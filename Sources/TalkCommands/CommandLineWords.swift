/// The words of this process's command line.
package enum CommandLineWords {
    /// Every word after the program's name; the number of the first one that is not UTF-8 when there is such a word.
    ///
    /// Swift's own list repairs what is broken, and a text that was repaired must not be posted.
    package static var all: Result<[String], Broken> {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let text = unsafe String(validatingCString: word) else { return .failure(Broken(number: index)) }
            words.append(text)
        }
        return .success(words)
    }

    /// A word that is no text in UTF-8.
    package struct Broken: Error {
        /// Its place, from 1.
        package let number: Int

        /// What is told, on standard error.
        package var message: String {
            "git-talk: argument \(number) is not text in UTF-8, so nothing was done\nhint: give a text in another encoding with -F, converted with iconv\n"
        }
    }
}
