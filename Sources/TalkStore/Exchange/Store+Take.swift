internal import TalkGit
public import TalkPages

extension Store {
    /// Joins what was fetched from a remote into this store, and says what the remote lacks.
    ///
    /// Nothing is taken that this program would not have written; that is named, and the rest goes on. Another program
    /// that changes the same pages makes it begin anew.
    ///
    /// Branches that are named in `refused` could not be fetched and stay as they are, here and there.
    public func take(
        from remote: String, refused: [ExchangeTake.Refusal] = []
    ) async throws(TalkError) -> ExchangeTake {
        var attempts = 0
        while true {
            do throws(TalkError) { return try takeOnce(from: remote, refused) } catch {
                attempts += 1
                guard error.kind == .busy, attempts < 8 else { throw error }
            }
        }
    }

    private func takeOnce(
        from remote: String, _ refused: [ExchangeTake.Refusal]
    ) throws(TalkError) -> ExchangeTake {
        let subject = "what was fetched from \(remote) cannot be taken"
        let (take, gone) = try locked(subject) { () throws(TalkError) -> (ExchangeTake, [PagePlan]) in
            if refused.isEmpty, try isSettled(with: remote, subject) { return (ExchangeTake(), []) }
            let before = try exchangeState(with: remote, subject)
            var plan = try makePlan(of: remote, refused, subject)
            let unpublished = try unpublished(plan.others)
            if plan.take.isNothing, plan.records.allSatisfy({ $0.old == $0.new }), unpublished.isEmpty {
                try settle(before, with: remote, subject)
                return (plan.take, [])
            }
            if !plan.take.stained.isEmpty || plan.take.pages.contains(where: { !$0.purged.isEmpty }) {
                try addGarbage(PackingRule.purged)
            }
            faults.reach("write pack")
            _ = try git(subject) { repository throws(GitError) in
                let present = plan.records.reduce(into: Set()) { $0.formUnion(repository.present(at: $1.old)) }
                return try repository.write(plan.batch, present: present)
            }
            for (record, old, new) in plan.records where old != new {
                guard let new else { continue }
                faults.reach("move \(record.name)")
                try moveReference(record.reference, from: old?.description, to: new, subject)
            }
            try refresh(unpublished, &plan.take, subject)
            for page in plan.pages where page.new != nil { try publish(page, subject) }
            return (plan.take, plan.pages.filter { $0.new == nil })
        }
        for page in gone { try remove(page, subject) }
        return take
    }

    private func makePlan(
        of remote: String, _ refused: [ExchangeTake.Refusal], _ subject: String
    ) throws(TalkError) -> ExchangePlanner {
        let evicted = Set(try evictedComponents(subject)), titles = try ownTitles(subject)
        return try git(subject) { repository throws(GitError) in
            var planner = ExchangePlanner(remote, layout, evicted: evicted, refused: refused)
            try planner.run(repository, titles: titles)
            return planner
        }
    }

    /// Pages whose branch moved and whose directory did not, because a program was stopped in between.
    private func unpublished(_ pages: [(page: PageName, tip: ObjectID)]) throws(TalkError) -> [PageName] {
        var found: [PageName] = []
        for (page, tip) in pages where try reader.stamp(of: page)?.commit != tip.description { found.append(page) }
        return found
    }

    private func refresh(
        _ pages: [PageName], _ take: inout ExchangeTake, _ subject: String
    ) throws(TalkError) {
        for page in pages {
            let name = StoreLayout.component(of: page)
            guard !take.refused.contains(where: { $0.name == name }) else { continue }
            do throws(TalkError) {
                try changing(page, subject) { () throws(TalkError) in try publish(page) }
            } catch {
                guard error.kind == .damaged else { throw error }
                take.refused.append(ExchangeTake.Refusal(name: name, reason: error.message))
            }
        }
    }

    private func publish(_ plan: PagePlan, _ subject: String) throws(TalkError) {
        guard let new = plan.new else { return }
        try keep(plan)
        try changing(plan.page, subject) { () throws(TalkError) in
            if plan.old == nil {
                faults.reach("want page again")
                try onDisk(subject) { () throws(FileError) in try Files.remove(layout.evicted(plan.page)) }
            }
            faults.reach("move branch")
            try moveReference(StoreLayout.branch(of: plan.page), from: plan.old?.description, to: new, subject)
            if !plan.purged.isEmpty {
                faults.reach("remove threads")
                try onDisk(subject) { () throws(FileError) in try Files.remove(layout.threads(of: plan.page)) }
            }
            try publish(plan.page)
        }
    }

    /// Before the branch, so that no page is without a state.
    private func keep(_ plan: PagePlan) throws(TalkError) {
        var state = try state(of: plan.page)
        if state == nil {
            let wiki = try wiki(plan.page.wiki)
            var new = PageState(page: plan.page, displayTitle: wiki?.localTitle(of: plan.page) ?? "\(plan.page)")
            new.isKept = true
            new.pageID = plan.newest?.page
            state = new
        } else if let newest = plan.newest, newest.page == state?.pageID, state?.latest != nil {
            // Another machine saw the wiki later than this one.
            state?.latest = newest.id
        } else {
            return
        }
        guard let state else { return }
        try put(state)
    }

    /// Removes a page of which nothing is left.
    private func remove(_ plan: PagePlan, _ subject: String) throws(TalkError) {
        guard let old = plan.old else { return }
        try changing(plan.page, subject, mode: .exclusive) { () throws(TalkError) in
            let isPending = try git(subject) { repository throws(GitError) in
                try repository.resolve(StoreLayout.pendingBranch(of: plan.page)) != nil
            }
            // The branch last: until then an exchange comes here again.
            try onDisk(subject) { () throws(FileError) in
                faults.reach("remove threads")
                try Files.remove(layout.threads(of: plan.page))
                if isPending { return }
                let directory = PageDirectory(layout: layout, page: plan.page, faults: faults)
                try directory.cleanUp()
                try directory.remove()
            }
            faults.reach("delete branch")
            try git(subject) { repository throws(GitError) in
                try repository.deleteReference(StoreLayout.branch(of: plan.page), from: old)
            }
            if isPending { try publish(plan.page) }
        }
    }
}
