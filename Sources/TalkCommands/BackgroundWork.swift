internal import Glibc
internal import Synchronization

/// How work that goes on by itself waits, and learns that it is to stop.
package struct BackgroundWork: Sendable {
    /// From now on an interrupt is a wish that `isStopped` tells of; a second one ends the program at once.
    package var begin: @Sendable () -> Void
    /// From now on an interrupt ends the program with a line that says that what was done is kept.
    package var announce: @Sendable () -> Void
    /// Whether somebody wants it to stop.
    package var isStopped: @Sendable () -> Bool
    /// Lets so many seconds pass, or fewer when it is to stop.
    package var wait: @Sendable (Double) async -> Void

    /// Makes it.
    package init(
        begin: @escaping @Sendable () -> Void, announce: @escaping @Sendable () -> Void = {},
        isStopped: @escaping @Sendable () -> Bool,
        wait: @escaping @Sendable (Double) async -> Void
    ) {
        self.begin = begin
        self.announce = announce
        self.isStopped = isStopped
        self.wait = wait
    }

    /// Stops instead of waiting, so that there is one round.
    package static func once() -> BackgroundWork {
        final class Flag: Sendable {
            let isSet = Mutex(false)
        }
        let flag = Flag()
        return BackgroundWork(
            begin: {}, isStopped: { flag.isSet.withLock { $0 } }, wait: { _ in flag.isSet.withLock { $0 = true } })
    }

    /// Stops at the signals with which a terminal and a service manager end a program.
    package static let process = BackgroundWork(
        begin: StopSignals.begin, announce: StopSignals.announce, isStopped: { StopSignals.isRaised },
        wait: StopSignals.wait)
}

/// SIGINT and SIGTERM as bytes in a pipe: what waits for the pipe misses none of them.
private enum StopSignals {
    static var isRaised: Bool { stopRequested.load(ordering: .sequentiallyConsistent) }

    @Sendable static func begin() {
        guard stopReader.load(ordering: .sequentiallyConsistent) < 0 else { return }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends {
            // No program that is started has them, and a full pipe must not stop the handler.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        stopReader.store(ends[0], ordering: .sequentiallyConsistent)
        stopWriter.store(ends[1], ordering: .sequentiallyConsistent)
        // Whoever started the program may have left them blocked.
        var wanted = sigset_t()
        unsafe sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM] {
            unsafe sigaddset(&wanted, number)
            signal(number) { number in
                stopRequested.store(true, ordering: .sequentiallyConsistent)
                var byte: UInt8 = 0
                _ = unsafe write(stopWriter.load(ordering: .sequentiallyConsistent), &byte, 1)
                // Whoever insists has no patience for a request that is under way.
                signal(number, SIG_DFL)
            }
        }
        unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    }

    @Sendable static func announce() {
        signal(SIGINT) { number in
            let line: StaticString = "\ngit-talk: broken off; what has come is kept, and the same command goes on\n"
            _ = unsafe write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
            signal(number, SIG_DFL)
            raise(number)
        }
    }

    @Sendable static func wait(_ seconds: Double) async {
        var entry = pollfd(fd: stopReader.load(ordering: .sequentiallyConsistent), events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&entry, 1, Int32(min(max(seconds, 0), 86_400) * 1000))
    }
}

// A signal handler sees only what is global.
private let stopRequested = Atomic<Bool>(false)
private let stopReader = Atomic<Int32>(-1)
private let stopWriter = Atomic<Int32>(-1)
