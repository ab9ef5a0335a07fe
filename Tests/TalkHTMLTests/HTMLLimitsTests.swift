import Foundation
import TalkHTML
import Testing

/// Hostile markup ends in an error or in a tree, within bounded time and memory, on a small stack.
@Suite struct HTMLLimitsTests {
    private func parse(_ html: String, _ limits: HTMLLimits = HTMLLimits()) -> Result<HTMLDocument, HTMLError> {
        Result { () throws(HTMLError) in try HTMLDocument(parsing: html, limits: limits) }
    }

    private func error(_ html: String) -> HTMLError? {
        if case .failure(let error) = parse(html) { return error }
        return nil
    }

    private func elements(_ html: String) throws -> Int {
        let document = try HTMLDocument(parsing: html)
        var count = 0
        var node = document.firstChild(document.root)
        while let current = node {
            if document.kind(current) == .element { count += 1 }
            node = document.next(after: current, in: document.root)
        }
        return count
    }

    @Test(arguments: [
        String(repeating: "<ul><li>", count: 12_000),
        String(repeating: "<dl><dd>", count: 50_000),
        String(repeating: "<div>", count: 100_000),
        String(repeating: "<table><tr><td>", count: 5_000),
        String(repeating: "<div><table><tr><td></div>", count: 5_000),
        String(repeating: "<b><div></b>", count: 12_000),
        String(repeating: "<x-y>", count: 12_000),
        String(repeating: "<div><select></div></select>", count: 12_000),
        // Not deep, but each letter looks for the element through all that are open.
        String(repeating: "<div>", count: 9_000) + "<b>" + String(repeating: "x", count: 200_000),
        (0..<2_000).map { "<p><font color=#\($0)>x</p>" }.joined(),
        (0..<2_000).map { "<font color=#\($0)>" }.joined() + String(repeating: "<p>x</p>", count: 2_000),
    ])
    func refusesAbsurdNesting(html: String) { #expect(error(html) == .tooDeep) }

    @Test func refusesWhatIsTooLarge() {
        #expect(error(String(repeating: "x", count: 17 << 20)) == .tooLarge(limit: 16 << 20))
        let attributes = (0..<100_000).map { " a\($0)" }.joined()
        #expect(error("<a\(attributes)>") == .tooLarge(limit: 256 << 20))
        var limits = HTMLLimits()
        limits.treeBytes = 1 << 20
        // 20,000 elements of about 200 bytes.
        guard case .failure(.tooLarge(limit: 1 << 20)) = parse(String(repeating: "<i></i>", count: 20_000), limits)
        else {
            Issue.record("the parser's memory is not limited")
            return
        }
        // The parser is as usable as before.
        #expect(throws: Never.self) { try elements("<i>x</i>") == 1 }
    }

    @Test func readsLongFlatPages() throws {
        #expect(try elements(String(repeating: "<p>x", count: 50_000)) == 50_000)
        #expect(try elements(String(repeating: "<ul>", count: 1) + String(repeating: "<li>x", count: 50_000)) == 50_001)
        #expect(try elements(String(repeating: "<br>", count: 50_000)) == 50_000)
        #expect(try elements(String(repeating: "x<!--c-->", count: 5_000)) == 0)
        #expect(try elements(String(repeating: "[[", count: 50_000)) == 0)
        #expect(try elements(String(repeating: "<p>Hello, world</p>\n", count: 50_000)) == 50_000)
    }

    /// The same font is opened again three times at most in each paragraph.
    @Test func readsIdenticalUnclosedFonts() throws {
        let html = String(repeating: "<p><font color=red>x</p>", count: 5_000)
        // Paragraph n reopens min(n, 3) and opens one: 1 + 2 + 3 + 4 + 4 + ….
        #expect(try elements(html) == 5_000 + 1 + 2 + 3 + 4 * 4_997)
        #expect(try elements(String(repeating: "<font color=red>x ", count: 5_000)) == 5_000)
    }

    @Test func readsTwoHundredDistinctUnclosedFonts() throws {
        let html = (0..<200).map { "<p><font color=#\($0)>x</p>" }.joined()
        // Paragraph n has n fonts.
        #expect(try elements(html) == 200 + 200 * 201 / 2)
    }

    @Test func readsAndWritesDeepPagesOnASmallStack() throws {
        let depth = 8_000
        let html = String(repeating: "<div>", count: depth) + "x" + String(repeating: "</div>", count: depth)
        let written = onSmallStack { parse(html).map { $0.innerHTML($0.root) } }
        #expect(try written.get() == html)
        let hostile = onSmallStack { error(String(repeating: "<ul><li>", count: 12_000)) }
        #expect(hostile == .tooDeep)
    }

    /// Ends the program when gumbo gets to see it.
    @Test(arguments: [
        "<math><html><mtext viewbox=\"\"><select href=x><textarea></textarea></body>",
        "<img><math><listing><html><math></big> \n<hr><main><dt></main><template><h3></desc><g></html>",
        "<svg><td><desc><select></select><td>", "<template><body></template></body>",
    ])
    func readsWhatGumboCannot(html: String) { #expect(throws: Never.self) { try elements(html) } }

    @Test func leavesOutAttributesWithANULInTheirName() throws {
        let document = try HTMLDocument(parsing: "<p title=a title\0=b \0=c lang=d>x</p>")
        #expect(document.innerHTML(document.root) == #"<p title="a" lang="d">x</p>"#)
    }

    @Test func keepsTextAroundNullCharacters() throws {
        let document = try HTMLDocument(parsing: "<p title='a\0b'>x\0y</p>\0<textarea>a\0b</textarea>z")
        #expect(
            document.innerHTML(document.root)
                == "<p title=\"a\u{FFFD}b\">xy</p><textarea>a\u{FFFD}b</textarea>z")
    }
}

/// Runs the body on a thread with half a megabyte of stack.
func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        box.value = body()
        done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    return box.value!  // Set before the signal.
}

/// Written by one thread before the other is told.
private final class Box<Value>: @unchecked Sendable { var value: Value? }
