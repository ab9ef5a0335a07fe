internal import CLibcurl

/// libcurl, which is loaded when it is first needed and stays until the process ends.
struct Library: @unchecked Sendable {
    // Filled once, before anybody else sees it.
    let functions: UnsafePointer<shim_curl>

    private static let loaded: Result<Library, TransportError> = {
        let functions = UnsafeMutablePointer<shim_curl>.allocate(capacity: 1)
        functions.initialize(to: shim_curl())
        if let reason = shim_curl_load(functions) {
            return .failure(
                TransportError(.other, wasSent: false, detail: "libcurl cannot be loaded: \(String(cString: reason))"))
        }
        _ = functions.pointee.global_init(Int(CURL_GLOBAL_DEFAULT))
        return .success(Library(functions: UnsafePointer(functions)))
    }()

    /// Throws `.other` on a machine without libcurl.
    static func load() throws(TransportError) -> Library { try loaded.get() }
}
