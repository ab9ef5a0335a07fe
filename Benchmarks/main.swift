import CGumbo
import Foundation
import TalkHTML
import TalkPages
import TalkStore

// Ratios against named peers in one run on one machine; never a test that can fail by the clock.
//
//   git-talk-bench                       all of it; GIT_TALK, GIT_TALK_BENCH_WIKI and GIT_TALK_BENCH_CORPUS as in `run`
//   git-talk-bench read <bytes>          reads one generated page, for the memory of a process
//   git-talk-bench store <directory>     makes the store that `show` is timed on
//   git-talk-bench pull                  what a pull costs beside the wiki
//   git-talk-bench keeping               what it costs to drop pages and to join packs
//   git-talk-bench scale [pages [revisions]]   what grows with the number of pages and of revisions
//   git-talk-bench measure <command>     milliseconds and megabytes of a command
//   git-talk-bench make <directory> pages|revisions <number>   makes a store for that
//   git-talk-bench exchange              what an exchange costs beside git; GIT_TALK is the program

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "read": try PageWork.all(GeneratedPage.html(bytes: Int(arguments[2]) ?? 0))
case "store": try await ShowStore.make(at: arguments[2])
case "pull": try await PullReport.run()
case "keeping": try await KeepingReport.run()
case "scale":
    try await ScaleReport.run(
        pages: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 20_000,
        revisions: arguments.dropFirst(3).first.flatMap { Int($0) } ?? 10_000)
case "measure":
    let child = try Child(arguments[2])
    print(child.milliseconds, child.megabytes)
case "make":
    let number = Int(arguments[4]) ?? 0
    let packing =
        arguments[3] == "pages"
        ? try await GeneratedStore.make(at: arguments[2], pages: number)
        : try await GeneratedStore.make(at: arguments[2], revisions: number)
    print(packing.map { text($0, 1) }.joined(separator: " "))
case "exchange": try await ExchangeReport.run()
default:
    try Report().run()
    try await PullReport.run()
    try await KeepingReport.run()
    try await ExchangeReport.run()
}
