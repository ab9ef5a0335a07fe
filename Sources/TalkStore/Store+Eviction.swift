internal import TalkGit
public import TalkPages

extension Store {
    /// Drops a page: its branch, its files and what is known of it; the disk is freed when the store is next packed.
    ///
    /// Throws `.invalid` while the page has pending replies.
    public func evict(_ page: PageName) async throws(TalkError) {
        let subject = "the page \(page) cannot be dropped"
        try changing(page, subject, mode: .exclusive) { () throws(TalkError) in
            let branch = StoreLayout.branch(of: page)
            let references = try git(subject) { repository throws(GitError) in
                // Remote-tracking branches would keep the objects.
                let copies = try repository.copies(of: page)
                let own = try repository.resolve(branch).map { [Reference(name: branch, target: $0)] } ?? []
                return copies + own
            }
            let pending = try git(subject) { repository throws(GitError) in
                try repository.resolve(StoreLayout.pendingBranch(of: page))
            }
            guard pending == nil else {
                throw TalkError(
                    .invalid, "the page \(page) has pending replies",
                    hint: "post them, or set them aside: git talk outbox drop <id>")
            }
            for reference in references {
                faults.reach("delete branch")
                try git(subject) { repository throws(GitError) in
                    try repository.deleteReference(reference.name, from: reference.target)
                }
            }
            try publish(page)
            try onDisk(subject) { () throws(FileError) in
                faults.reach("remove state")
                for path in [layout.threads(of: page), layout.state(of: page)] { try Files.remove(path) }
            }
        }
    }
}
