internal import TalkGit
internal import TalkPages

/// Runs file operations; `subject` says to the user what could not be done.
func onDisk<Result: ~Copyable>(
    _ subject: @autoclosure () -> String, _ body: () throws(FileError) -> Result
) throws(TalkError) -> Result {
    do throws(FileError) { return try body() } catch { throw TalkError(error, subject()) }
}

/// Runs git operations; `subject` says to the user what could not be done.
func inGit<Result: ~Copyable>(
    _ subject: @autoclosure () -> String, _ body: () throws(GitError) -> Result
) throws(TalkError) -> Result {
    do throws(GitError) { return try body() } catch { throw TalkError(error, subject()) }
}

extension TalkError {
    /// A file operation failed while `subject`, "the page Talk:Bridge cannot be read".
    init(_ error: FileError, _ subject: String) {
        if let cause = error.cause {
            self.init(cause, subject, underlying: error)
        } else if error.isTooLong {
            self.init(
                .invalid, "\(subject): its path is too long for this file system",
                hint: "use a store with a shorter path", underlying: error)
        } else {
            self.init(
                .damaged, "\(subject): a file of the store is not as it should be", hint: Self.verify, underlying: error
            )
        }
    }

    /// A git operation failed while `subject`, "the page Talk:Bridge cannot be read".
    init(_ error: GitError, _ subject: String) {
        if let cause = error.cause {
            self.init(cause, subject, underlying: error)
            return
        }
        if error.function == GitError.foreign {
            let id = error.message.prefix(40)
            self.init(
                .damaged, "\(subject): the commit \(error.message)",
                hint:
                    "keep its branch under another name (git branch --contains \(id); git branch -m), then pull the page",
                underlying: error)
            return
        }
        switch error.code {
        case .locked, .modified, .exists:
            self.init(
                .busy, "\(subject): another program is changing it", hint: "try again in a minute", underlying: error)
        default:
            self.init(
                .damaged, "\(subject): its git objects are damaged or missing", hint: Self.verify, underlying: error)
        }
    }

    private init(_ cause: GitError.SystemCause, _ subject: String, underlying: any Error) {
        switch cause {
        case .denied:
            self.init(
                .unwritable, "\(subject): permission denied", hint: "check who owns the store's files",
                underlying: underlying)
        case .readOnly:
            self.init(
                .unwritable, "\(subject): the store's disk is read-only",
                hint: "make it writable, or use another store",
                underlying: underlying)
        case .full:
            self.init(
                .unwritable, "\(subject): no space is left on the store's disk",
                hint: "free some space and repeat the command", underlying: underlying)
        case .noLibrary(let library):
            self.init(
                .missingProgram, "\(subject): this needs the library \(library), which cannot be loaded",
                hint: "install \(library), and try again", underlying: underlying)
        }
    }

    static let verify = "see what is damaged, and repair it: git talk doctor"
}

extension GitError {
    fileprivate static let foreign = "look at a commit"

    /// A commit where one of ours belongs, which somebody put there with git.
    static func notOurs(_ commit: ObjectID, _ what: String) -> GitError {
        GitError(.generic, foreign, "\(commit) \(what): somebody put it there with git")
    }
}
