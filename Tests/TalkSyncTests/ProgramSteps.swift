import Foundation
import Synchronization
import TalkTestSupport

@testable import TalkStore

/// Counts the changes of the disk and the two ends of the requests that save, and ends the program at one of them with
/// exit code 77.
final class ProgramSteps: Sendable {
    private let state = Mutex<[String]>([])
    private let stop: Int?

    /// Nil only counts.
    init(stopAt stop: Int?) { self.stop = stop }

    /// What was reached, in order.
    var names: [String] { state.withLock { $0 } }
    var faults: StoreFaults { StoreFaults { self.reach($0) } }

    func watch(_ proxy: FaultyProxy) {
        proxy.fail("edit", .afterwards { self.reach("after edit") })
        proxy.add { call in
            if call.kind == "edit" { self.reach("before edit") }
            return nil
        }
    }

    private func reach(_ name: String) {
        let count = state.withLock { names in
            names.append(name)
            return names.count
        }
        if count == stop { _exit(77) }
    }
}
