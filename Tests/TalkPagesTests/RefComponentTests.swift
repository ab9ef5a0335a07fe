import Foundation
import Testing

@testable import TalkPages

@Suite struct RefComponentTests {
    @Test(arguments: [
        ("Old stone bridge", "Old_stone_bridge"), ("Old_stone_bridge", "Old_stone_bridge"),
        ("Archive/2024: a?", "Archive%2F2024%3A_a%3F"), ("Café", "Café"), ("Cafe\u{301}", "Café"),
        (".hidden", "%2Ehidden"), ("end.", "end%2E"), ("a..b", "a.%2Eb"), ("a...b", "a.%2E%2Eb"), (".", "%2E"),
        ("..", "%2E%2E"), ("-f", "%2Df"), ("a-b", "a-b"), ("@", "%40"), ("@{x", "%40%7Bx"), ("a@{", "a%40%7B"),
        ("a@b", "a@b"), ("{a}", "{a}"), ("x.lock", "x%2Elock"), ("x.LOCK", "x%2ELOCK"), ("x.lock.b", "x.lock.b"),
        ("a\\b\"c*[d]^~", "a%5Cb%22c%2A%5Bd]%5E%7E"), ("100% = <b>|", "100%25_%3D_%3Cb%3E%7C"),
        ("a (b), 'c'!&+;$-", "a_(b),_'c'!&+;$-"), ("-a b", "%2Da_b"),
        ("a\tb\u{7F}\0", "a%09b%7F%00"), ("مرحبا 🌉", "مرحبا_🌉"), ("a b", "a_b"), ("", ""),
        ("a \u{301}b c", "a%20\u{301}b_c"), ("a \u{200D}b", "a%20\u{200D}b"), ("\u{600} a", "\u{600}%20a"),
    ])
    func escapesWhatGitRefuses(text: String, expected: String) {
        let escaped = RefComponent.escape(text)
        #expect(Array(escaped.utf8) == Array(expected.utf8))
        #expect(
            RefComponent.unescape(escaped)
                == text.precomposedStringWithCanonicalMapping.replacing("_", with: " "))
        #expect(RefComponent.isValid(escaped) == !text.isEmpty)
    }

    @Test func cutsAtACharacterAndAddsTheHash() {
        // 199 + 2 bytes: the last character does not fit.
        let long = String(repeating: "a", count: 199) + "é"
        let hash = SHA256.hexadecimal(of: long).prefix(16)
        #expect(RefComponent.escape(long) == String(repeating: "a", count: 199) + "=" + hash)
        #expect(RefComponent.escape(String(repeating: "a", count: 200)) == String(repeating: "a", count: 200))
        // 67 escapes of three bytes are 201.
        let escapes = String(repeating: "/", count: 67)
        #expect(RefComponent.escape(escapes).hasPrefix(String(repeating: "%2F", count: 66) + "="))
        #expect(RefComponent.escape(escapes).utf8.count == 198 + 17)
        #expect(RefComponent.unescape(RefComponent.escape(long)) == nil)
        #expect(RefComponent.isValid(RefComponent.escape(long)))
        // The sign before the cut is one character with the "=" after it.
        let sign = RefComponent.escape(String(repeating: "a", count: 198) + "\u{600}b")
        #expect(sign.utf8.count == 217 && RefComponent.isValid(sign) && RefComponent.unescape(sign) == nil)
        #expect(RefComponent.escape("a b", limit: 2) == "a_=" + SHA256.hexadecimal(of: "a_b").prefix(16))
    }

    /// A title of 200 bytes stays, one more is cut; the digits are those of `sha256sum`.
    @Test func cutsATitleAsTheStoreSays() {
        let bytes = String(repeating: "ä", count: 100)
        #expect(RefComponent.escape(bytes) == bytes)
        #expect(RefComponent.escape(bytes + "/") == bytes + "=74aff566ac12a022")
        #expect(
            RefComponent.escape(String(repeating: "ä ", count: 67)) == String(repeating: "ä_", count: 66)
                + "ä=b45125e0cd938890")
    }

    @Test(arguments: [
        "a b", "a/b", "..", ".", "a..b", "%2f", "%41", "a%", "a%2", "a%zz", "-a", "@", "Cafe\u{301}", "a=b",
        "a=0123456789abcde",
        "a=0123456789abcdeF", "x.lock", "a%FF", "a\0", "", "=0123456789abcdef=",
    ])
    func refusesWhatItNeverWrites(component: String) {
        #expect(RefComponent.unescape(component) == nil || component.isEmpty)
        #expect(!RefComponent.isValid(component))
    }

    /// Hostile titles: no two share a name, and git takes every name.
    @Test func isInjectiveAndAcceptedByGit() {
        let seed: UInt64 = 0xB21D6E
        var random = TitleGenerator(seed: seed)
        let pieces = [
            ".", "..", "/", "@", "{", "@{", "-", "~", "^", ":", "?", "*", "[", "\\", "%", "%2F", "=", "\"", "<", ">",
            "|", ".lock", ".LOCK", "lock", "a", "b", "_", " ", "é", "e\u{301}", "ß", "中", "🌉", "\u{7F}", "\u{1}",
            String(repeating: "x", count: 120), String(repeating: "é", count: 60),
        ]
        var seen: [String: String] = [:]
        for _ in 0..<4_000 {
            let title = (0...random.below(5)).map { _ in pieces[random.below(pieces.count)] }.joined()
            let key = title.precomposedStringWithCanonicalMapping.replacing(" ", with: "_")
            let name = RefComponent.escape(title)
            #expect(seen[name] == nil || seen[name] == key, "seed \(seed): \(title)")
            seen[name] = key
            #expect(isAcceptedByGit(name), "seed \(seed): \(name)")
            #expect(RefComponent.isValid(name), "seed \(seed): \(name)")
            #expect(name.utf8.count <= 217)
        }
        #expect(seen.count > 2_000)
    }

    /// The rules of `git check-ref-format` for one component, and those of a file's name.
    private func isAcceptedByGit(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let refused = Set(" ~^:?*[\\/".utf8)
        return !bytes.isEmpty && bytes.count <= 250 && !name.hasPrefix(".") && !name.hasSuffix(".")
            && !name.contains("..") && !name.contains("@{") && name != "@" && !name.lowercased().hasSuffix(".lock")
            && !name.hasPrefix("-") && bytes.allSatisfy { $0 > 32 && $0 != 127 && !refused.contains($0) }
    }
}

/// FIPS 180-4 examples.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 10_000), "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"),
    ])
    func agreesWithTheStandard(message: String, digest: String) { #expect(SHA256.hexadecimal(of: message) == digest) }

    /// The padding changes at 55 and 56 bytes of the last block.
    @Test func padsEveryLength() {
        #expect(Set((0..<200).map { SHA256.hexadecimal(of: String(repeating: "a", count: $0)) }).count == 200)
    }
}

/// Numbers from a seed, equal on every run.
struct TitleGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
