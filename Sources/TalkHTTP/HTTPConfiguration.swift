internal import CLibcurl

/// What is the same for every request of a connection; libcurl reads none of it from the environment.
public struct HTTPConfiguration: Sendable {
    /// How requests leave this machine.
    public enum Proxy: Hashable, Sendable {
        /// Straight to the server.
        case none
        /// Through a proxy, `http://host:3128`, but for the hosts in `except` (the form of `NO_PROXY`).
        case url(String, except: String)
    }

    /// Time limits in seconds.
    public struct TimeLimits: Hashable, Sendable {
        /// Until the connection stands.
        public var connect: Int
        /// Until the answer is complete; 0 for no limit.
        public var total: Double
        /// How long nothing may arrive or leave; 0 for no limit.
        public var idle: Int

        /// Makes limits.
        public init(connect: Int, total: Double, idle: Int) {
            self.connect = connect
            self.total = total
            self.idle = idle
        }
    }

    /// `User-Agent`.
    public var userAgent: String
    /// How requests leave this machine.
    public var proxy: Proxy
    /// A file of certificate authorities instead of the system's.
    public var certificateAuthorities: String?
    /// Where cookies are kept between runs, mode 0600; nil to keep them in memory.
    public var cookieFile: String?
    /// Whether cookies that change go into the file; else it is only read.
    public var keepsCookies = true
    /// Limits of a request that changes nothing.
    public var readLimits: TimeLimits
    /// Limits of a request that changes something: a wiki may work for 120 seconds without a byte.
    public var writeLimits: TimeLimits

    /// Name and version of the library that sends the requests, `libcurl/7.88.1`.
    public static var library: String {
        guard let curl = try? Library.load().functions,
            let version = curl.pointee.version_info(CURLVERSION_FIRST)?.pointee.version
        else { return "libcurl" }
        return "libcurl/" + String(cString: version)
    }

    /// Makes a configuration.
    public init(
        userAgent: String, proxy: Proxy = .none, certificateAuthorities: String? = nil, cookieFile: String? = nil,
        readLimits: TimeLimits = TimeLimits(connect: 20, total: 300, idle: 60),
        writeLimits: TimeLimits = TimeLimits(connect: 30, total: 300, idle: 0)
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.certificateAuthorities = certificateAuthorities
        self.cookieFile = cookieFile
        self.readLimits = readLimits
        self.writeLimits = writeLimits
    }
}
