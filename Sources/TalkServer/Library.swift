internal import CMicrohttpd

/// libmicrohttpd, which is loaded when the first server is started and stays until the process ends.
struct Library: @unchecked Sendable {
    // Filled once, before anybody else sees it.
    let functions: UnsafePointer<shim_mhd>

    /// Fails with libmicrohttpd's absence in words.
    static let loaded: Result<Library, ServerError> = {
        let functions = UnsafeMutablePointer<shim_mhd>.allocate(capacity: 1)
        functions.initialize(to: shim_mhd())
        if let reason = shim_mhd_load(functions) {
            return .failure(.noLibrary("libmicrohttpd cannot be loaded: \(String(cString: reason))"))
        }
        return .success(Library(functions: UnsafePointer(functions)))
    }()
}

/// Why a server was not started.
public enum ServerError: Error, Hashable, Sendable {
    /// libmicrohttpd is not there; the system's words.
    case noLibrary(String)
    /// The port is taken or may not be used.
    case portTaken
}
