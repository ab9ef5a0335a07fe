extension Wiki {
    /// A number of all that the reading of signatures depends on; another one makes derived threads stale.
    ///
    /// FNV-1a of 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv), in 16 hexadecimal digits. Not a secure digest.
    public var localeHash: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        [articlePath, script, server, timezone, language].forEach(mix)
        for names in [contributionsNames, interwikiPrefixes, localInterwikiPrefixes ?? []] {
            names.forEach(mix)
            mix("")
        }
        for namespace in namespaces {
            mix(String(namespace.id))
            ([namespace.name, namespace.canonical] + namespace.aliases).forEach(mix)
        }
        for format in signatureFormats {
            [format.variant, format.format, format.digits].forEach(mix)
            for (key, value) in format.timezoneAbbreviations.sorted(by: { $0.key < $1.key }) { mix(key + "=" + value) }
            [format.months, format.monthsGenitive, format.monthsShort, format.weekdays, format.weekdaysShort]
                .forEach { $0.forEach(mix) }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
