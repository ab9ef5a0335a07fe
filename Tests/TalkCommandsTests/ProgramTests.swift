import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// The built program among other programs: git, the shell, editors and pagers.
@Suite(.temporaryDirectory) struct ProgramTests {
    let paper = PaperWiki()

    /// The program with `Talk:Bridge` in its store.
    private func prepared() throws -> BuiltProgram {
        let program = try BuiltProgram()
        let pull = try program.run("git-talk", "pull", paper.page)
        try #require(pull.status == 0, "\(pull.error)")
        return program
    }

    private func texts(_ program: BuiltProgram) throws -> [String] {
        let json = try program.run("git-talk", "outbox", "--json").output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return (object?["entries"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
    }

    // MARK: Inside another repository

    /// A repository of the user's with two commits, a branch, a staged file and a changed one.
    private func repository(_ program: BuiltProgram) throws -> URL {
        let place = program.directory.appending(path: "project")
        let commands = """
            git init -q project && cd project && mkdir sub && echo one >a && git add a && git commit -qm one
            git branch other && echo two >sub/b && git add sub/b && git commit -qm two
            echo staged >c && git add c && echo changed >a
            git config alias.t talk && git config alias.tt '!git talk'
            """
        let made = try program.run("sh", "-ec", commands)
        try #require(made.status == 0, "\(made.error)")
        return place
    }

    @Test func neverTouchesTheRepositoryItIsCalledIn() throws {
        let program = try prepared()
        let project = try repository(program)
        let git = project.appending(path: ".git").path
        let before = try BuiltProgram.listing(project)
        let ties = [
            "GIT_DIR": git, "GIT_WORK_TREE": project.path, "GIT_INDEX_FILE": git + "/index", "GIT_PREFIX": "sub/",
            "GIT_OBJECT_DIRECTORY": git + "/objects", "GIT_COMMON_DIR": git, "GIT_NAMESPACE": "other",
        ]
        var number = 0
        for (call, extra) in [
            (["git", "talk"], [:]), (["git", "t"], [:]), (["git", "tt"], [:]), (["git-talk"], ties),
            (["git", "talk"], ties),
            (["git", "-c", "core.bare=true", "talk"], [:]), (["git", "--git-dir", git, "talk"], [:]),
        ] as [([String], [String: String])] {
            for place in [project, project.appending(path: "sub")] {
                number += 1
                let line = call.map(ForegroundProgram.quoted).joined(separator: " ")
                let reply = try program.run(
                    "sh", "-c",
                    "\(line) pull && \(line) reply Talk:Bridge c-Carol -m 'Number \(number).'; \(line) sync",
                    in: place, with: extra)
                #expect(reply.error.contains("nobody is logged in"), "\(call): \(reply.error)")
                let shown = try program.run("sh", "-c", "\(line) show Talk:Bridge", in: place, with: extra)
                #expect(shown.status == 0 && shown.output.contains("Number \(number)."), "\(call): \(shown.error)")
            }
        }
        #expect(try BuiltProgram.listing(project) == before)
        #expect(try texts(program).count == number)
        let branches = try program.run(
            "git", "-C", program.store.path, "for-each-ref", "--format=%(refname)", "refs/heads")
        #expect(branches.output.contains("refs/heads/pending/"))
    }

    @Test func worksInsideAHook() throws {
        let program = try prepared()
        let project = try repository(program)
        for hook in ["pre-commit", "post-commit"] {
            let file = project.appending(path: ".git/hooks/\(hook)")
            let text = "#!/bin/sh\ngit talk pull && git talk reply Talk:Bridge c-Carol -m 'From \(hook).'\n"
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
        let commit = try program.run("git", "commit", "-qm", "three", in: project)
        #expect(commit.status == 0, "\(commit.error)")
        #expect(try texts(program) == ["From pre-commit.", "From post-commit."])
        let check = """
            git log --format=%s && git show --format= --name-only && git status --porcelain && git for-each-ref \
            --format='%(refname)' && git fsck --strict && git -C .. rev-parse --is-inside-work-tree
            """
        let after = try program.run("sh", "-c", check, in: project)
        #expect(after.output == "three\ntwo\none\nc\n M a\nrefs/heads/main\nrefs/heads/other\n")
    }

    @Test(.testWiki) func postsFromInsideAnotherRepository() throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Inside")
        try wiki.edit(title, to: EndToEndTests.text)
        let program = try BuiltProgram()
        let project = try repository(program)
        let before = try BuiltProgram.listing(project)
        let account = TestWiki.Account.alice
        let ties = ["GIT_DIR": project.path + "/.git", "GIT_INDEX_FILE": project.path + "/.git/index"]
        let login = try program.run(
            "git", "talk", "login", wiki.url.absoluteString, in: project, with: ties,
            input: "\(account.botName)\n\(account.password)\n")
        #expect(login.status == 0, "\(login.error)")
        try program.run("git", "talk", "pull", title, in: project, with: ties)
        try program.run("git", "talk", "reply", title, "c-Carol", "-m", "From a project.", in: project, with: ties)
        let sync = try program.run("git", "tt", "sync", in: project)
        #expect(sync.status == 0, "\(sync.error)")
        #expect(try wiki.text(of: title).contains("::From a project. [[User:Alice|Alice]]"))
        #expect(try BuiltProgram.listing(project) == before)
    }

    // MARK: Streams and exit codes

    @Test func endsAsAUnixProgramDoes() throws {
        let program = try BuiltProgram()
        #expect(try program.run("git", "talk", "--version").output == Help.version + "\n")
        for (words, status) in [(["help"], 0), (["shw"], 64), (["list"], 1), (["show"], 64)] as [([String], Int32)] {
            let result = try program.run("sh", "-c", "git talk \(words.joined(separator: " "))")
            #expect(result.status == status, "\(words)")
            #expect(result.output.isEmpty == (status != 0) && result.error.isEmpty == (status == 0))
        }
    }

    @Test func aReaderThatWentAwayIsQuiet() throws {
        let program = try BuiltProgram()
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try program.run("git-talk", "help", output: pipe.fileHandleForWriting)
        #expect(result.error == "")
        #expect(result.status == 0 || result.wasKilled)
        #expect(
            try program.run("sh", "-c", "git-talk help | head -1").output
                == "usage: git talk <command> [<options>] [<arguments>]\n")
    }

    @Test func outputThatCannotBeWrittenIsNoSuccess() throws {
        let program = try BuiltProgram()
        let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let result = try program.run("git-talk", "help", output: full)
        #expect(result.status == 1)
        #expect(result.error.hasPrefix("git-talk: the output could not be written\nhint: "))
    }

    // MARK: Libraries

    /// What reads plain files does without libgit2; the rest says what is missing, and takes nothing for damaged.
    @Test func libgit2IsLoadedWhenItIsNeeded() throws {
        let program = try prepared()
        let place = program.directory.appending(path: "libraries")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        // An empty file is found first, and is no library.
        for version in 0..<20 { try Data().write(to: place.appending(path: "libgit2.so.1.\(version)")) }
        let without = ["LD_LIBRARY_PATH": place.path]
        let shown = try program.run("git-talk", "show", "Talk:Bridge", with: without)
        #expect(shown.status == 0 && shown.error == "", "\(shown.error)")
        #expect(shown.output == (try program.run("git-talk", "show", "Talk:Bridge").output))
        let objects = program.store.appending(path: ".git/objects"), before = try BuiltProgram.listing(objects)
        for words in [["log", "Talk:Bridge"], ["reply", "Talk:Bridge", "c-Carol", "-m", "Yes."], ["doctor"]] {
            let result = try program.run(["git-talk"] + words, with: without)
            #expect(result.status == 1, "\(words)")
            #expect(result.error.contains(": this needs the library libgit2 1."), "\(result.error)")
            #expect(result.error.contains("install libgit2 1."), "\(result.error)")
            #expect(!result.error.contains("damaged") && result.output == "", "\(result.error)\(result.output)")
        }
        #expect(try BuiltProgram.listing(objects) == before)
    }

    // MARK: Editor and pager

    private static let terminal = ConditionTrait.enabled(
        if: BuiltProgram.find("script") != nil, "no script(1) of util-linux to make a terminal with")

    @Test(terminal) func theEditorHasTheTerminalAndItsTextIsQueued() throws {
        let program = try prepared()
        let editor = try program.script(
            "editor",
            #"ps -o pgid=,tpgid= -p $$ >ps; grep SigBlk /proc/self/status >>ps; echo ${GIT_DIR-none} >>ps; cp "$1" seen; printf 'Written\n\nby hand.\n' >"$1""#
        )
        let result = try program.onTerminal(
            "git-talk reply Talk:Bridge c-Carol", with: ["GIT_EDITOR": "sh -e '\(editor)'", "GIT_DIR": "/nowhere"])
        #expect(result.status == 0, "\(result.output)")
        #expect(try texts(program) == ["Written\n\nby hand."])
        let seen = try String(contentsOf: program.directory.appending(path: "seen"), encoding: .utf8)
        #expect(seen.hasPrefix("\n\n# -----") && seen.contains("\n# You answer Carol:\n# Four metres.\n# ---"))
        // In the foreground of its terminal, no signal kept from it, tied to no repository.
        let state = try String(contentsOf: program.directory.appending(path: "ps"), encoding: .utf8)
        let words = state.split(whereSeparator: \.isWhitespace)
        #expect(
            words.count == 5 && words[0] == words[1] && words[3].allSatisfy { $0 == "0" } && words[4] == "none",
            "\(state)")
        #expect(!FileManager.default.fileExists(atPath: program.store.path + "/.git/git-talk/REPLY_EDITMSG"))
    }

    @Test(
        terminal,
        arguments: [
            "exit 3", "kill -9 $$",
            #"p=$PPID; until grep -q git-talk /proc/$p/comm; do p=$(cut -d' ' -f4 /proc/$p/stat); done; kill -9 $p"#,
        ])
    func whatAnEditorLeavesIsOfferedAgain(end: String) throws {
        let program = try prepared()
        let failing = try program.script(
            "failing", #"{ echo "Half a thought"; cat "$1"; } >new; cat new >"$1"; "# + end)
        let failed = try program.onTerminal("git-talk reply Talk:Bridge c-Carol", with: ["GIT_EDITOR": failing])
        #expect(failed.status != 0)
        if !end.contains("PPID") {
            #expect(failed.status == 1)
            #expect(
                failed.output.contains("ended with an error, nothing was queued")
                    && failed.output.contains("hint: your text is kept in"))
        }
        #expect(try texts(program) == [])

        // A reply that needs no editor leaves it alone.
        try program.run("git-talk", "reply", "Talk:Bridge", "c-Carol", "-m", "Meanwhile.")
        let second = try program.script(
            "second", #"cp "$1" seen; { echo "and the other half."; cat "$1"; } >new; cat new >"$1""#)
        let result = try program.onTerminal("git-talk reply Talk:Bridge h-Ramp", with: ["GIT_EDITOR": second])
        #expect(result.status == 0, "\(result.output)")
        #expect(try texts(program) == ["Meanwhile.", "and the other half.\nHalf a thought"])
        let seen = try String(contentsOf: program.directory.appending(path: "seen"), encoding: .utf8)
        #expect(seen.hasPrefix("Half a thought\n") && seen.contains("# What stands above is left from a reply"))
    }

    @Test(terminal) func oneReplyAtATimeIsInAnEditor() throws {
        let program = try prepared()
        let inner = try program.script("inner", #"echo Stolen >"$1""#)
        let outer = try program.script(
            "outer",
            #"echo Mine >"$1"; GIT_EDITOR=\#(inner) git-talk reply Talk:Bridge h-Ramp; echo "inner $?" >status"#)
        let result = try program.onTerminal("git-talk reply Talk:Bridge c-Carol", with: ["GIT_EDITOR": outer])
        #expect(result.output.contains("git-talk: another reply is in an editor"))
        #expect(try String(contentsOf: program.directory.appending(path: "status"), encoding: .utf8) == "inner 75\n")
        #expect(try texts(program) == ["Mine"])
    }

    @Test(terminal) func aTextThatIsNotUTF8StaysWhereItIs() throws {
        let program = try prepared()
        let editor = try program.script("latin", #"printf 'caf\351\n' >"$1""#)
        let message = program.store.appending(path: ".git/git-talk/REPLY_EDITMSG")
        for words in ["is not text in UTF-8", "what is left of an earlier reply"] {
            let result = try program.onTerminal("git-talk reply Talk:Bridge c-Carol", with: ["GIT_EDITOR": editor])
            #expect(result.status == 1 && result.output.contains(words), "\(result.output)")
            #expect(try Data(contentsOf: message) == Data([0x63, 0x61, 0x66, 0xE9, 0x0A]))
        }
    }

    @Test(terminal) func thePagerGetsAPageThatIsReadOnATerminal() throws {
        let program = try prepared()
        let pager = try program.script("pager", #"cat >paged; echo "$LESS" >less; ps -o pgid=,tpgid= -p $$ >ps"#)
        func paged(_ line: String, _ extra: [String: String]) throws -> String {
            let file = program.directory.appending(path: "paged")
            try? FileManager.default.removeItem(at: file)
            let result = try program.onTerminal(line, with: extra)
            #expect(result.status == 0 && !result.output.contains("Four metres"), "\(result.output)")
            return try String(contentsOf: file, encoding: .utf8)
        }
        let coloured = try paged("git-talk show Talk:Bridge", ["PAGER": pager])
        #expect(coloured.contains("\u{1B}[1mCarol\u{1B}[0m") && coloured.contains("Four metres."))
        #expect(try String(contentsOf: program.directory.appending(path: "less"), encoding: .utf8) == "FRX\n")
        let state = try String(contentsOf: program.directory.appending(path: "ps"), encoding: .utf8)
        let groups = state.split(whereSeparator: \.isWhitespace)
        #expect(groups.count == 2 && groups[0] == groups[1], "\(state)")
        for plain in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            #expect(
                !(try paged("git-talk show Talk:Bridge", plain.merging(["GIT_PAGER": pager]) { $1 }).contains("\u{1B}"))
            )
        }
        try program.run("git", "config", "--global", "core.pager", pager)
        #expect(try paged("stty cols 34; git-talk show Talk:Bridge", ["NO_COLOR": "1"]).contains("  How wide is it?\n"))
    }

    @Test(terminal) func withoutAPagerThePageIsPrinted() throws {
        let program = try prepared()
        for (pager, status) in [("cat", 0), ("", 0), ("/nonexistent/pager", 0), ("false", 0)] as [(String, Int32)] {
            let result = try program.onTerminal("git-talk show Talk:Bridge", with: ["GIT_PAGER": pager])
            #expect(result.status == status, "\(pager)")
            #expect(result.output.contains("Four metres.") == (pager != "false"), "\(pager)")
        }
        let pipe = try program.run("sh", "-c", "git-talk show Talk:Bridge | cat", with: ["GIT_PAGER": "false"])
        #expect(pipe.output.contains("Four metres.") && !pipe.output.contains("\u{1B}"))
    }

    // MARK: Installation

    @Test(
        .enabled(if: BuiltProgram.find("man") != nil, "no man(1) to read the manual with"),
        .enabled(if: BuiltProgram.find("make") != nil, "no make(1) to install with"))
    func gitFindsTheManualOnceItIsInstalled() throws {
        let program = try BuiltProgram()
        let root = program.directory.appending(path: "root").path
        let make = [
            "make", "-C", SharedData.repositoryRoot.path, "DESTDIR=\(root)", "PREFIX=/opt/talk",
            "BINARY=\(BuiltProgram.file.path)",
        ]
        .map(ForegroundProgram.quoted).joined(separator: " ")
        let install = try program.run("sh", "-c", "\(make) install")
        #expect(install.status == 0, "\(install.error)")
        let installed = [
            "PATH": "\(root)/opt/talk/bin:/usr/bin:/bin", "MANPATH": "\(root)/opt/talk/share/man", "MANPAGER": "cat",
        ]
        #expect(try program.run("git", "talk", "--version", with: installed).output == Help.version + "\n")
        let manual = try program.run("git", "talk", "--help", with: installed)
        #expect(manual.status == 0, "\(manual.error)")
        #expect(manual.output.contains("GIT-TALK(1)"))
        let remove = try program.run("sh", "-c", "\(make) uninstall")
        #expect(remove.status == 0)
        #expect(try program.run("find", root, "-type", "f").output == "")
    }
}
