internal import Glibc

/// A server that takes connections and never answers.
public final class SilentServer: Sendable {
    private let socket: LocalSocket

    /// Starts it on a free port of this machine; nil when that fails.
    public init?() {
        guard let socket = LocalSocket(isListening: true) else { return nil }
        self.socket = socket
    }

    /// Where an API would be.
    public var api: String { "http://127.0.0.1:\(socket.port)/w/api.php" }
}

/// A socket that has a port of this machine to itself.
struct LocalSocket: ~Copyable {
    private let descriptor: Int32
    let port: UInt16

    /// Takes a free port; with `isListening` the kernel completes connections, which nobody ever accepts.
    init?(isListening: Bool) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isUp = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && (!isListening || listen(descriptor, 16) == 0)
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        guard isUp else { return nil }
    }

    deinit { close(descriptor) }

    /// The port, kept until the process ends.
    consuming func kept() -> UInt16 {
        let port = port
        discard self
        return port
    }
}
