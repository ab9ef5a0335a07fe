internal import TalkGit
public import TalkPages

/// The journals of the pending replies of a store, in the order of writing.
public struct OutboxListing: Hashable, Sendable {
    /// The journals.
    public let entries: [OutboxEntry]
    /// Ids of journals that cannot be read.
    ///
    /// Their replies are not lost: the pending branches have the texts.
    public let unreadable: [String]
}

extension PageReader {
    /// Every pending reply's journal, sorted by id, which is by the time of writing.
    public func outbox() throws(TalkError) -> OutboxListing {
        let names = try onDisk("the outbox cannot be read") { () throws(FileError) in try Files.list(layout.outbox) }
        var entries: [OutboxEntry] = []
        var unreadable: [String] = []
        for name in names ?? [] where name.hasSuffix(".json") {
            let id = String(name.dropLast(".json".count))
            guard ReplyID.isValid(id), let bytes = try journal(id) else { continue }
            if let entry = try? StoredJSON.decode(OutboxEntry.self, bytes), entry.reply.id == id {
                entries.append(entry)
            } else {
                unreadable.append(id)
            }
        }
        return OutboxListing(entries: entries, unreadable: unreadable)
    }

    /// The journal of one reply; nil when there is none.
    ///
    /// Throws `.damaged` when it cannot be understood.
    public func outboxEntry(_ id: String) throws(TalkError) -> OutboxEntry? {
        guard ReplyID.isValid(id), let bytes = try journal(id) else { return nil }
        guard let entry = try? StoredJSON.decode(OutboxEntry.self, bytes), entry.reply.id == id else {
            throw TalkError(.damaged, "the journal of the reply \(id) is damaged", hint: TalkError.verify)
        }
        return entry
    }

    private func journal(_ id: String) throws(TalkError) -> [UInt8]? {
        try onDisk("the reply \(id) cannot be read") { () throws(FileError) in try Files.read(layout.outboxEntry(id)) }
    }
}

extension Store {
    /// Writes the journal of a reply, whatever it was before; it is on the disk when this returns.
    ///
    /// Right for a new reply. One that is in the outbox already may be at work in another program: `updateEntry`.
    public func save(_ entry: OutboxEntry) async throws(TalkError) {
        let subject = "the reply \(entry.reply.id) cannot be saved"
        try changingOutbox(subject) { () throws(TalkError) in try write(entry, subject) }
    }

    /// Changes the journal of a reply as it stands now and gives what was written, on the disk when this returns.
    ///
    /// Nobody else changes a journal meanwhile, so that no program can undo a step of another one with what it read
    /// earlier. Nil, and nothing is written, when there is no such journal or `change` says no.
    @discardableResult
    public func updateEntry(
        _ id: String, _ change: @Sendable (inout OutboxEntry) -> Bool
    ) async throws(TalkError) -> OutboxEntry? {
        let subject = "the reply \(id) cannot be saved"
        return try changingOutbox(subject) { () throws(TalkError) in
            guard let current = try reader.outboxEntry(id) else { return nil }
            var entry = current
            guard change(&entry), entry.reply.id == id else { return nil }
            // Nobody has seen yet what will become of one that is on its way.
            if !entry.hasOutcome { entry.isSeen = false }
            if entry != current { try write(entry, subject) }
            return entry
        }
    }

    /// Writes a journal within the lock of the outbox, or of the whole store.
    func write(_ entry: OutboxEntry, _ subject: String) throws(TalkError) {
        let id = entry.reply.id
        guard ReplyID.isValid(id) else { throw TalkError(.internal, "\(id) is no id of a reply") }
        let bytes = try encode(entry)
        let path = layout.outboxEntry(id)
        try onDisk(subject) { () throws(FileError) in
            faults.reach("write journal")
            try Files.replace(path, bytes, mode: 0o600, scratch: scratch(path), durable: true)
        }
    }

    /// Removes the journal of a reply, whose outcome a person has seen.
    ///
    /// While a reply that waits, or was set aside and may be restored, answers one that was posted, its journal says
    /// where that went, so it is only marked as seen.
    public func removeEntry(_ id: String) async throws(TalkError) {
        let subject = "the reply \(id) cannot be removed from the outbox"
        guard ReplyID.isValid(id) else { return }
        let path = layout.outboxEntry(id), outbox = layout.outbox
        try changingOutbox(subject) { () throws(TalkError) in
            if var entry = try? reader.outboxEntry(id), entry.state == .posted,
                try reader.outbox().entries.contains(where: { $0.state != .posted && $0.reply.target?.pending == id })
            {
                if entry.isSeen { return }
                entry.isSeen = true
                return try write(entry, subject)
            }
            try onDisk(subject) { () throws(FileError) in
                faults.reach("remove journal")
                guard try Files.information(path) != nil else { return }
                try Files.remove(path)
                try Files.synchronizeDirectory(outbox)
            }
        }
    }

    /// Every pending reply's journal, sorted by id, which is by the time of writing.
    public nonisolated func outbox() throws(TalkError) -> OutboxListing { try reader.outbox() }

    /// The journal of one reply; nil when there is none.
    public nonisolated func outboxEntry(_ id: String) throws(TalkError) -> OutboxEntry? { try reader.outboxEntry(id) }
}
