internal import TalkGit
internal import TalkPages

/// The hook of a store that lets no push carry a reply that is not on the wiki.
struct PushHook {
    let layout: StoreLayout

    static let beginning = """
        #!/bin/sh
        # What is not on the wiki yet never leaves this machine with a push.

        """

    /// The hook: it looks at names first, then through what the remote has not got yet.
    ///
    /// A commit of a reply has two trailers that no revision has, whose message has one line only that somebody else wrote.
    static let text =
        beginning + #"""
            refuse() {
                echo "git-talk: nothing was pushed: $1 holds replies that are not on the wiki" >&2
                echo "hint: name what to push: git push <remote> main 'refs/heads/<wiki>/*:refs/heads/<wiki>/*'" >&2
                exit 1
            }
            pushed=$(
                while read -r local_ref local_id remote_ref remote_id
                do
                    case " $local_ref $remote_ref" in
                    *" refs/heads/pending/"*|*" refs/discarded/"*) refuse "$local_ref" ;;
                    esac
                    case $local_id in *[!0]*) echo "$local_id" ;; *) continue ;; esac
                    case $remote_id in *[!0]*) echo "^$remote_id" ;; esac
                done
            ) || exit 1
            test -n "$pushed" || exit 0
            commits=$(
                printf '%s\n' "$pushed" | sed -n '/^[^^]/s/$/^{commit}/p' |
                git cat-file --batch-check='%(objecttype)' 2>/dev/null | sort -u
            ) || exit 1
            test "$commits" = commit || refuse "what is no commit"
            reply=$(
                printf '%s\n' "$pushed" |
                git --no-replace-objects rev-list --ignore-missing --max-count=1 --all-match -E \
                    --grep='^Pending-Id: [0-9a-z]+$' --grep='^Wiki-Base: [0-9]+$' --stdin
            ) || exit 1
            test -z "$reply" || refuse "$reply"
            exit 0

            """#

    /// Writes the hook anew where an older git-talk wrote it; one of the user's own, and none, are left alone.
    ///
    /// The user's own `core.hooksPath` must not hide it, so the store's configuration names its place.
    func renew(scratch: String) throws(TalkError) {
        let configuration = try StoreFormat.check(layout)
        do throws(FileError) {
            guard let standing = try Files.read(layout.pushHook), standing.starts(with: Self.beginning.utf8) else {
                return
            }
            if !standing.elementsEqual(Self.text.utf8) {
                try Files.replace(layout.pushHook, Array(Self.text.utf8), mode: 0o700, scratch: scratch, durable: true)
            }
            let place = Files.directory(of: layout.pushHook), named = configuration.string("core.hooksPath")
            // Another place that somebody chose for this store is left alone; that of a store that moved is not.
            var isStale = named == nil
            if let named, named.hasSuffix("/.git/hooks") { isStale = try Files.information(named) == nil }
            guard named != place, isStale else { return }
            // Who else has the configuration in hand just now writes the same.
            try? ConfigurationFile.change(layout.configuration) { file throws(GitError) in
                try file.set("core.hooksPath", to: place)
            }
        } catch {
            // A store that cannot be written is left to the operation that wants to write.
            guard error.cause != nil else { throw TalkError(error, "the hook of the store cannot be renewed") }
        }
    }
}
