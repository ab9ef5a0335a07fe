/// A tag's name as one number, with what a tree builder does about it.
///
/// Names of up to eight letters are the number's bytes, longer ones a hash; the names that matter are all short or
/// listed.
struct HTMLTagName: Hashable {
    let key: UInt64

    init(key: UInt64) { self.key = key }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var key: UInt64 = 0
        if bytes.count <= 8 {
            for byte in bytes { key = key << 8 | UInt64(Self.lowercased(byte)) }
        } else {
            key = 0xCBF2_9CE4_8422_2325
            for byte in bytes { key = (key ^ UInt64(Self.lowercased(byte))) &* 0x100_0000_01B3 }
            key |= 1 << 63
        }
        self.key = key
    }

    init(_ name: StaticString) {
        self.init(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
    }
    static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    static let a = Self("a"), address = Self("address"), button = Self("button"), dd = Self("dd"), div = Self("div")
    static let dt = Self("dt"), image = Self("image"), img = Self("img"), li = Self("li"), math = Self("math")
    static let nobr = Self("nobr"), ol = Self("ol"), optgroup = Self("optgroup"), option = Self("option")
    static let p = Self("p"), plaintext = Self("plaintext"), select = Self("select"), svg = Self("svg")
    static let table = Self("table"), td = Self("td"), template = Self("template"), th = Self("th"), tr = Self("tr")
    static let ul = Self("ul")

    /// What a tree builder does about a name.
    struct Roles: OptionSet {
        let rawValue: UInt16
        static let void = Self(rawValue: 1)
        static let formatting = Self(rawValue: 2)
        /// A block in the widest sense, at which an inline end tag stops.
        static let special = Self(rawValue: 4)
        static let closesParagraph = Self(rawValue: 8)
        /// Through which an end tag does not reach.
        static let boundary = Self(rawValue: 16)
        /// Inside which formatting begins anew.
        static let marker = Self(rawValue: 32)
        static let tablePart = Self(rawValue: 64)
        static let rowGroup = Self(rawValue: 128)
        static let listItem = Self(rawValue: 256)
        static let heading = Self(rawValue: 512)
        static let rawText = Self(rawValue: 1024)
        static let option = Self(rawValue: 2048)
        /// `html`, `head`, `body`: not an element of a fragment.
        static let root = Self(rawValue: 4096)
    }

    var roles: Roles {
        let table = Self.table256
        var slot = Self.slot(key)
        while true {
            let entry = table[slot]
            if entry.key == key { return entry.roles }
            if entry.key == 0 { return [] }
            slot = (slot + 1) & 511
        }
    }

    private static func slot(_ key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> 55) }

    /// Open addressing, twice as large as needed: this is asked for every tag of a page.
    private static let table256: [(key: UInt64, roles: Roles)] = {
        var table = [(key: UInt64, roles: Roles)](repeating: (0, []), count: 512)
        for (names, roles) in words {
            for name in "\(names)".split(separator: " ") {
                var copy = String(name)
                let key = copy.withUTF8 { HTMLTagName($0).key }
                var slot = slot(key)
                while table[slot].key != 0, table[slot].key != key { slot = (slot + 1) & 511 }
                table[slot] = (key, table[slot].roles.union(roles))
            }
        }
        return table
    }()

    private static let words: [(StaticString, Roles)] = [
        (
            """
            area base basefont bgsound br col embed frame hr img input keygen link meta menuitem param source track wbr
            """, .void
        ),
        ("a b big code em font i nobr s small strike strong tt u", .formatting),
        (
            """
            address applet area article aside base basefont bgsound blockquote body br button caption center col \
            colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 \
            h5 h6 head header hgroup hr html iframe img input isindex li link listing main marquee menu menuitem meta \
            nav noembed noframes noscript object ol p param plaintext pre script section select source style summary \
            table tbody td textarea tfoot th thead title tr track ul wbr xmp
            """, .special
        ),
        (
            """
            address article aside blockquote center dd details dir div dl dt fieldset figcaption figure footer form h1 \
            h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre section summary table ul xmp
            """, .closesParagraph
        ),
        ("applet caption html marquee object table td th", .boundary),
        ("applet caption marquee object td th", .marker),
        ("caption col colgroup tbody td tfoot th thead tr", .tablePart),
        ("tbody tfoot thead", .rowGroup),
        ("dd dt li", .listItem),
        ("h1 h2 h3 h4 h5 h6", .heading),
        ("iframe noembed noframes plaintext script style textarea title xmp", .rawText),
        ("option optgroup", .option),
        ("body frameset head html", .root),
    ]
}
