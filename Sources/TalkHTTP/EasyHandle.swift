internal import CLibcurl

/// One libcurl easy handle: the only place that calls libcurl's transfer functions.
struct EasyHandle: ~Copyable {
    private let curl: UnsafePointer<shim_curl>
    private let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    init() throws(TransportError) {
        let curl = try Library.load().functions
        guard let pointer = curl.pointee.easy_init() else {
            throw TransportError(.other, wasSent: false, detail: "curl_easy_init: out of memory")
        }
        self.curl = curl
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl.pointee.easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// Forgets every option; connection and cookies stay.
    func reset() throws(TransportError) {
        curl.pointee.easy_reset(pointer)
        errorText[0] = 0
        try check(shim_curl_setopt_pointer(curl, pointer, CURLOPT_ERRORBUFFER, errorText))
        try set(CURLOPT_NOSIGNAL, 1)
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(shim_curl_setopt_long(curl, pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(shim_curl_setopt_string(curl, pointer, option, value))
    }

    func unset(_ option: CURLoption) throws(TransportError) {
        try check(shim_curl_setopt_string(curl, pointer, option, nil))
    }

    func setForm(_ body: String) throws(TransportError) {
        let bytes = Array(body.utf8)
        try check(shim_curl_setopt_offset(curl, pointer, CURLOPT_POSTFIELDSIZE_LARGE, bytes.count))
        try check(
            bytes.withUnsafeBytes {
                shim_curl_setopt_bytes(
                    curl, pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(errorText))
            })
    }

    /// Runs the transfer that the options describe.
    func perform(headers: [String], into collector: Collector) throws(TransportError) {
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl.pointee.slist_free_all(list) }
        for header in headers { list = curl.pointee.slist_append(list, header) ?? list }
        try check(shim_curl_setopt_pointer(curl, pointer, CURLOPT_HTTPHEADER, list))
        let context = Unmanaged.passUnretained(collector).toOpaque()
        try check(
            shim_curl_setopt_data_callback(curl, pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let context else { return 0 }
                let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                return collector.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
            })
        try check(
            shim_curl_setopt_data_callback(curl, pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                guard let context else { return 0 }
                let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                return collector.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
            })
        try check(shim_curl_setopt_pointer(curl, pointer, CURLOPT_WRITEDATA, context))
        try check(shim_curl_setopt_pointer(curl, pointer, CURLOPT_HEADERDATA, context))
        let code = withExtendedLifetime(collector) { curl.pointee.easy_perform(pointer) }
        _ = shim_curl_setopt_pointer(curl, pointer, CURLOPT_HTTPHEADER, nil)
        if code == CURLE_WRITE_ERROR, collector.isFull {
            guard !collector.truncates else { return }
            throw TransportError(.tooLarge, wasSent: true, code: Int32(code.rawValue), detail: "body above the limit")
        }
        try check(code)
    }

    func integer(_ info: CURLINFO) -> Int {
        var value = 0
        return shim_curl_getinfo_long(curl, pointer, info, &value) == CURLE_OK ? value : 0
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard shim_curl_getinfo_string(curl, pointer, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    /// Every cookie as a line of the Netscape format, session cookies included.
    func cookies() -> [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard shim_curl_getinfo_list(curl, pointer, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl.pointee.slist_free_all(list) }
        var lines: [String] = []
        var next = list
        while let item = next {
            if let data = item.pointee.data { lines.append(String(cString: data)) }
            next = item.pointee.next
        }
        return lines
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code != CURLE_OK else { return }
        var words = String(cString: errorText)
        if words.isEmpty, let general = curl.pointee.easy_strerror(code) { words = String(cString: general) }
        // The same trouble has the same words: callers say it once, and curl puts the time of this attempt in.
        let detail = words.replacing(#/ after [0-9]+ ms(?=: )/#, with: "")
        throw TransportError(Self.kind(of: code), wasSent: wasSent, code: Int32(code.rawValue), detail: detail)
    }

    /// The time stands once the request was handed on; the size counts what was written before that.
    private var wasSent: Bool {
        var started: curl_off_t = 0
        _ = shim_curl_getinfo_offset(curl, pointer, CURLINFO_PRETRANSFER_TIME_T, &started)
        return started > 0 || integer(CURLINFO_REQUEST_SIZE) > 0
    }

    private static func kind(of code: CURLcode) -> TransportError.Kind {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED: .connect
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_USE_SSL_FAILED: .tls
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
            .certificate
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY:
            .cut
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badRequest
        default: .other
        }
    }
}

/// Takes what libcurl delivers during one transfer.
final class Collector {
    private let limit: Int
    let truncates: Bool
    private(set) var isFull = false
    private(set) var body: [UInt8] = []
    private(set) var headers: [(String, String)] = []

    init(_ limit: HTTPRequest.BodyLimit) {
        switch limit {
        case .refuse(let above): (self.limit, truncates) = (above, false)
        case .truncate(let to): (self.limit, truncates) = (to, true)
        }
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= limit else {
            isFull = true
            if truncates { body.append(contentsOf: bytes.prefix(limit - body.count)) }
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            headers.append((String(line[..<colon]), Self.trimmed(value)))
        }
        return bytes.count
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
