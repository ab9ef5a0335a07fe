internal import TalkPages

/// What the user may do with a page in one phase, and why not.
struct PagePermissions {
    let phase: TalkPageState.Phase
    let shown: ShownPage?
    let checked: PageMachine.Checked?

    /// What is written is queued, so all that it takes is a page in the store.
    var canWrite: TalkPagePermission {
        if case .moved(let move) = phase { return .denied(reason: "the page was moved to \(move.title)") }
        if shown?.isStored == true { return .granted }
        switch phase {
        case .confirming: return .denied(reason: "the page is not stored yet")
        case .stale(let error): return .denied(reason: "the page is not stored: \(error.message)")
        case .missing: return .denied(reason: "there is no such page on the wiki")
        case .failed(let error): return .denied(reason: error.message)
        case .current, .updated, .moved: return .denied(reason: "the page is not in the store")
        }
    }

    /// Sending takes the newest revision, an account, and the wiki's leave.
    var canSend: TalkPagePermission {
        switch phase {
        case .confirming: return .denied(reason: "the wiki is being asked whether this is the newest revision")
        case .stale(let error): return .denied(reason: "the page is not up to date: \(error.message)")
        case .missing: return .denied(reason: "there is no such page on the wiki")
        case .failed(let error): return .denied(reason: error.message)
        case .moved: return canWrite
        case .current, .updated: break
        }
        guard shown?.isStored == true else { return canWrite }
        guard let checked, case .success(let check) = checked.answer, let user = checked.user else {
            return .denied(reason: "the wiki did not say who may edit the page")
        }
        if user.isAnonymous { return .denied(reason: "nobody is logged in") }
        if let block = user.block, !block.isPartial {
            let reason = block.reason.isEmpty ? "" : ": \(block.reason)"
            return .denied(reason: "\(user.name) is blocked by \(block.by)\(reason)")
        }
        guard user.rights.contains("edit") else { return .denied(reason: "this login of \(user.name) may not edit") }
        if let error = check.editError { return .denied(reason: error.explanation) }
        guard checked.testsEdit else { return .denied(reason: "whether the page may be edited was not asked") }
        return .granted
    }
}
