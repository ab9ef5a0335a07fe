import TalkTestSupport
import Testing

@testable import TalkGit

@Suite struct ObjectIDTests {
    @Test func namesBytesAsGitDoes() throws {
        // `printf 'hello\n' | git hash-object --stdin`
        #expect(try ObjectID(of: .blob, Array("hello\n".utf8)).description == "ce013625030ba8dba906f756967f9e9ca394464a")
        #expect(try ObjectID(of: .tree, []).description == "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
    }

    @Test func readsFortyLowerCaseDigitsOnly() {
        let hex = "ce013625030ba8dba906f756967f9e9ca394464a"
        #expect(ObjectID(hex: hex)?.description == hex)
        #expect(ObjectID(hex: hex.dropLast()) == nil)
        #expect(ObjectID(hex: hex + "0") == nil)
        #expect(ObjectID(hex: hex.uppercased()) == nil)
        #expect(ObjectID(hex: String(repeating: "g", count: 40)) == nil)
    }

    @Test func ordersLikeTheDigits() throws {
        let ids = try (0..<50).map { try ObjectID(of: .blob, [UInt8($0)]) }
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    }
}
