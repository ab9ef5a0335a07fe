/// How a user wants wikis to be reached, in the words that curl and git have for it.
struct NetworkPreferences {
    private let environment: [String: String]
    private var git: [Substring: Substring] = [:]

    /// Takes the environment and what `git config -z --get-urlmatch http <server>` printed.
    init(environment: [String: String], git: String) {
        self.environment = environment
        for entry in git.split(separator: "\0") {
            let parts = entry.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { self.git[parts[0]] = parts[1] }
        }
    }

    /// The proxy for connections to a server; git's configuration goes before the variables, and says with nothing that
    /// there is none.
    func proxy(for server: String) -> String? {
        if let own = git["http.proxy"] { return own.isEmpty ? nil : String(own) }
        // Never HTTP_PROXY: whoever sends a request to a CGI program sets that one.
        let names = server.hasPrefix("https:") ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return first(names + ["all_proxy", "ALL_PROXY"])
    }

    /// The hosts that are reached without the proxy.
    var proxyExceptions: String { first(["no_proxy", "NO_PROXY"]) ?? "" }

    /// A file of certificate authorities instead of the system's; git's variable goes before its configuration.
    var certificateAuthorities: String? {
        first(["GIT_SSL_CAINFO"]) ?? git["http.sslcainfo"].map(String.init)
            ?? first(["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
    }

    /// The first variable that is set and not empty.
    private func first(_ names: [String]) -> String? {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
}
