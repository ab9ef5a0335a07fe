// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 mode, explicit imports, no warning left standing.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Targets above the C wrappers also accept no unmarked unsafe construct.
let safe = strict + [.strictMemorySafety()]

let package = Package(
    name: "git-talk",
    products: [
        .library(name: "GitTalk", targets: ["TalkPages", "TalkStore", "TalkSync"]),
        .executable(name: "git-talk", targets: ["git-talk"]),
    ],
    targets: [
        .systemLibrary(name: "CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"])]),
        // Not linked: loaded when they are needed.
        .systemLibrary(name: "CLibgit2", providers: [.apt(["libgit2-dev"])]),
        .systemLibrary(name: "CLibcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CMalloc"),

        .target(name: "TalkGit", dependencies: ["CLibgit2"], swiftSettings: strict),
        .target(name: "TalkHTTP", dependencies: ["CLibcurl"], swiftSettings: strict),
        .target(name: "TalkHTML", dependencies: ["CGumbo"], swiftSettings: strict),
        .target(name: "TalkServer", dependencies: ["CMicrohttpd"], swiftSettings: strict),

        .target(name: "TalkPages", dependencies: ["TalkHTML"], swiftSettings: safe),
        .target(name: "TalkStore", dependencies: ["TalkGit", "TalkPages"], swiftSettings: safe),
        .target(name: "TalkSync", dependencies: ["TalkHTTP", "TalkStore", "TalkPages"], swiftSettings: safe),
        .target(
            name: "TalkReader", dependencies: ["TalkServer", "TalkStore", "TalkPages", "TalkHTML"],
            swiftSettings: safe),
        .target(
            name: "TalkCommands", dependencies: ["TalkReader", "TalkSync", "TalkStore", "TalkPages"],
            swiftSettings: safe),
        .executableTarget(name: "git-talk", dependencies: ["TalkCommands", "CMalloc"], swiftSettings: safe),
        .executableTarget(
            name: "git-talk-bench",
            dependencies: ["CGumbo", "TalkHTML", "TalkHTTP", "TalkPages", "TalkServer", "TalkStore", "TalkSync"],
            path: "Benchmarks", exclude: ["run", "sqlite-peer"], swiftSettings: strict),

        .target(
            name: "TalkTestSupport", dependencies: ["TalkServer", "TalkHTTP", "TalkGit", "TalkPages"],
            path: "Tests/TalkTestSupport", swiftSettings: strict),
        .testTarget(name: "TalkGitTests", dependencies: ["TalkGit", "TalkTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "TalkHTTPTests", dependencies: ["TalkHTTP", "TalkServer", "TalkTestSupport"], swiftSettings: strict),
        .testTarget(name: "TalkHTMLTests", dependencies: ["TalkHTML", "TalkTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "TalkPagesTests", dependencies: ["TalkPages", "TalkHTML", "TalkTestSupport"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "TalkStoreTests", dependencies: ["TalkStore", "TalkGit", "TalkPages", "TalkTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TalkSyncTests", dependencies: ["TalkSync", "TalkHTTP", "TalkStore", "TalkPages", "TalkTestSupport"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "TalkCommandsTests", dependencies: ["TalkCommands", "TalkSync", "TalkTestSupport", "git-talk"],
            exclude: ["Golden"], swiftSettings: strict),
        .testTarget(
            name: "TalkReaderTests",
            dependencies: ["TalkReader", "TalkServer", "TalkHTTP", "TalkStore", "TalkPages", "TalkTestSupport"],
            swiftSettings: strict),
        .testTarget(name: "LayeringTests", swiftSettings: safe),
    ],
    swiftLanguageModes: [.v6]
)
