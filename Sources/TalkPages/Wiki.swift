/// A namespace of a wiki, from `siprop=namespaces|namespacealiases`.
public struct Namespace: Codable, Hashable, Sendable {
    /// The wiki's number; talk namespaces are odd and above 0.
    public var id: Int
    /// The local name with spaces; empty for namespace 0.
    public var name: String
    /// The English name with spaces; empty for namespace 0.
    public var canonical: String
    /// Further local names, gender forms among them.
    public var aliases: [String]
    /// Whether the first letter of a title keeps its case.
    public var isCaseSensitive: Bool

    /// Makes a namespace.
    public init(id: Int, name: String, canonical: String, aliases: [String] = [], isCaseSensitive: Bool = false) {
        self.id = id
        self.name = name
        self.canonical = canonical
        self.aliases = aliases
        self.isCaseSensitive = isCaseSensitive
    }
}

/// How a wiki writes the date in a signature, for one language variant.
public struct SignatureFormat: Codable, Hashable, Sendable {
    /// The language variant, `en`, `sr-ec`.
    public var variant: String
    /// A PHP-like date format of MediaWiki, `H:i, j F Y`.
    public var format: String
    /// The ten digits, zero first.
    public var digits: String
    /// Abbreviation as PHP knows it → as the wiki writes it.
    public var timezoneAbbreviations: [String: String]
    /// January first.
    public var months: [String]
    /// Genitive names, January first.
    public var monthsGenitive: [String]
    /// Abbreviated names, January first.
    public var monthsShort: [String]
    /// Sunday first.
    public var weekdays: [String]
    /// Abbreviated names, Sunday first.
    public var weekdaysShort: [String]

    /// Makes a format.
    public init(
        variant: String, format: String, digits: String = "0123456789",
        timezoneAbbreviations: [String: String] = ["UTC": "UTC"], months: [String], monthsGenitive: [String],
        monthsShort: [String], weekdays: [String], weekdaysShort: [String]
    ) {
        self.variant = variant
        self.format = format
        self.digits = digits
        self.timezoneAbbreviations = timezoneAbbreviations
        self.months = months
        self.monthsGenitive = monthsGenitive
        self.monthsShort = monthsShort
        self.weekdays = weekdays
        self.weekdaysShort = weekdaysShort
    }
}

/// What an offline client knows of one MediaWiki site, from `meta=siteinfo` and messages.
///
/// Kept in `.git/git-talk/wikis/<key>.json`; it can be deleted and is asked for again.
public struct Wiki: Codable, Hashable, Sendable {
    /// The key that names the wiki in refs and paths, not escaped (`PageName.wiki`).
    public var key: String
    /// URL of `api.php`.
    public var api: String
    /// Scheme and host, no trailing slash: `https://en.wikipedia.org`.
    public var server: String
    /// `/wiki/$1`.
    public var articlePath: String
    /// `/w/index.php`.
    public var script: String
    /// `MediaWiki 1.39.17`.
    public var generator: String
    /// The wiki's name for people.
    public var siteName: String
    /// Content language code.
    public var language: String
    /// Whether the content language is written right to left.
    public var isRightToLeft: Bool
    /// IANA name of the zone that signatures are written in.
    public var timezone: String
    /// Every namespace, by id.
    public var namespaces: [Namespace]
    /// Interwiki prefixes, lower-case, that lead to another wiki.
    public var interwikiPrefixes: [String]
    /// Local names of Special:Contributions, the primary one first.
    public var contributionsNames: [String]
    /// Date formats of signatures, one a language variant, in the order in which they are tried.
    public var signatureFormats: [SignatureFormat]
    /// Whether the extension DiscussionTools is installed.
    public var hasDiscussionTools: Bool
    /// Which comments may be missed since the wiki's dates are not fully known, in words; nil when none.
    public var dateWarnings: [String]?
    /// Interwiki prefixes that lead to this wiki itself; nil when it named none.
    public var localInterwikiPrefixes: [String]?
    /// Lower-case names of the tags whose content the wiki hands to an extension; nil when it did not say.
    public var extensionTags: [String]?
    /// Whether the extension LiquidThreads is installed, which keeps discussions elsewhere; nil when not.
    public var hasLiquidThreads: Bool?
    /// Whether the wiki tells strangers nothing, so that its pages are for its members; nil when it does.
    public var isPrivate: Bool?
    /// Seconds since 1970 when the wiki was asked for all this; nil when that is not known.
    public var asked: Int64?

    /// Makes a wiki from what it said of itself.
    public init(
        key: String, api: String, server: String, articlePath: String, script: String, generator: String,
        siteName: String, language: String, isRightToLeft: Bool, timezone: String, namespaces: [Namespace],
        interwikiPrefixes: [String], contributionsNames: [String], signatureFormats: [SignatureFormat],
        hasDiscussionTools: Bool, localInterwikiPrefixes: [String]? = nil, extensionTags: [String]? = nil
    ) {
        self.key = key
        self.api = api
        self.server = server
        self.articlePath = articlePath
        self.script = script
        self.generator = generator
        self.siteName = siteName
        self.language = language
        self.isRightToLeft = isRightToLeft
        self.timezone = timezone
        self.namespaces = namespaces
        self.interwikiPrefixes = interwikiPrefixes
        self.contributionsNames = contributionsNames
        self.signatureFormats = signatureFormats
        self.hasDiscussionTools = hasDiscussionTools
        self.localInterwikiPrefixes = localInterwikiPrefixes
        self.extensionTags = extensionTags
    }
}
