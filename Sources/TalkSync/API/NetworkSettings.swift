internal import TalkHTTP

/// How this program reaches wikis; the library reads none of it from the environment.
public struct NetworkSettings: Sendable {
    /// `User-Agent`: program, version, address of the project, contact.
    public var userAgent: String
    /// `http://host:3128`, or nil to connect directly.
    public var proxy: String?
    /// Hosts that are reached without the proxy, in the form of `NO_PROXY`.
    public var proxyExceptions: String
    /// A file of certificate authorities instead of the system's.
    public var certificateAuthorities: String?
    /// Seconds until a connection must stand.
    public var connectTimeout: Int
    /// Seconds until an answer to a read must be complete.
    public var readTimeout: Int
    /// Seconds until an answer to a write must be complete; a wiki may work for 120 seconds on one.
    public var writeTimeout: Double
    /// Seconds that somebody waits for a wiki that says nothing; nil to wait as long as an answer may come.
    ///
    /// An answer to a write is waited for three times as long; it may be saved all the same after that.
    public var patience: Int?
    /// Seconds of database lag above which reads are refused, for work that nobody waits for; nil to read in any case.
    public var maximumLag: Int?
    /// How to wait for a wiki that is busy; nil to say so at once.
    public var retry: RetryPolicy?

    /// What sends the requests, as it stands at the end of a `User-Agent`: `libcurl/7.88.1`.
    public static var library: String { HTTPConfiguration.library }

    /// Makes settings.
    public init(
        userAgent: String, proxy: String? = nil, proxyExceptions: String = "", certificateAuthorities: String? = nil,
        connectTimeout: Int = 20, readTimeout: Int = 300, writeTimeout: Double = 300, patience: Int? = nil,
        maximumLag: Int? = nil,
        retry: RetryPolicy? = nil
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.proxyExceptions = proxyExceptions
        self.certificateAuthorities = certificateAuthorities
        self.connectTimeout = connectTimeout
        self.readTimeout = readTimeout
        self.writeTimeout = writeTimeout
        self.patience = patience
        self.maximumLag = maximumLag
        self.retry = retry
    }

    func configuration(cookieFile: String?, keepsCookies: Bool) -> HTTPConfiguration {
        var configuration = HTTPConfiguration(
            userAgent: userAgent, proxy: proxy.map { .url($0, except: proxyExceptions) } ?? .none,
            certificateAuthorities: certificateAuthorities, cookieFile: cookieFile,
            readLimits: .init(
                connect: min(connectTimeout, patience ?? connectTimeout), total: Double(readTimeout),
                idle: min(readTimeout, patience ?? 60)),
            writeLimits: .init(
                connect: min(connectTimeout, patience ?? connectTimeout),
                total: min(writeTimeout, patience.map { Double(3 * $0) } ?? writeTimeout), idle: 0))
        configuration.keepsCookies = keepsCookies
        return configuration
    }
}
