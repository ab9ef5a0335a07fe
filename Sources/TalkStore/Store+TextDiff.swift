internal import TalkGit
public import TalkPages

extension Store {
    /// The name of the driver with which git shows pages as text.
    static let textDriver = "git-talk"
    private static let textAttribute = "*.html diff=\(textDriver)"

    /// Lets `git diff`, `git log -p` and `git show` in the store show pages as text, or as HTML again.
    ///
    /// `command` gets the name of a file with one section as its last argument and prints its text; nil removes it. Only
    /// this store is changed: its configuration and its attributes, where every other line stays.
    public func setTextDiff(_ command: String?) async throws(TalkError) {
        let subject = "how git shows the pages cannot be changed"
        let (configuration, attributes) = (layout.configuration, layout.attributes)
        try locked(subject, mode: .exclusive) { () throws(TalkError) in
            try inGit(subject) { () throws(GitError) in
                let section = "diff.\(Self.textDriver)"
                faults.reach("write configuration")
                try ConfigurationFile.change(configuration) { file throws(GitError) in
                    try file.set("\(section).textconv", to: command)
                    // The heading above a change, as git repeats it behind `@@`.
                    try file.set("\(section).xfuncname", to: command == nil ? nil : "^=+ .* =+$")
                }
            }
            try onDisk(subject) { () throws(FileError) in
                let text = String(decoding: try Files.read(attributes) ?? [], as: UTF8.self)
                var lines = text.split(separator: "\n").map(String.init).filter { $0 != Self.textAttribute }
                if command != nil { lines.append(Self.textAttribute) }
                let new = lines.map { $0 + "\n" }.joined()
                guard new != text else { return }
                faults.reach("write attributes")
                try Files.makeDirectories(Files.directory(of: attributes))
                let scratch = attributes + ".new"
                try Files.replace(attributes, Array(new.utf8), mode: 0o600, scratch: scratch, durable: true)
            }
        }
    }
}
