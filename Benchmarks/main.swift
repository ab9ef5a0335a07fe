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

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "read": try PageWork.all(GeneratedPage.html(bytes: Int(arguments[2]) ?? 0))
case "store": try await ShowStore.make(at: arguments[2])
case "pull": try await PullReport.run()
case "keeping": try await KeepingReport.run()
default:
    try Report().run()
    try await PullReport.run()
    try await KeepingReport.run()
}
