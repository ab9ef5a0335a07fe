import TalkHTML
import Testing

@Suite struct HTMLTextTests {
    private func text(_ html: String) throws -> String {
        let document = try HTMLDocument(parsing: html)
        return HTMLText.plainText(of: document.root, in: document)
    }

    @Test(arguments: [
        ("<p>a\n b</p><p>c</p>", "a b\n\nc"),
        ("a <b>b</b> c<br>d<br/><br/>e", "a b c\nd\n\ne"),
        ("<p>x</p><ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>y", "x\n\n* a\n  * b\n* c\n\ny"),
        ("<ol><li>a</li><li>b<br>c</li></ol>", "1. a\n2. b\n   c"),
        ("<ol start=9><li>a</li><li>b</li></ol>", "9. a\n10. b"),
        ("<dl><dd>a\n<dl><dd>b</dd></dl></dd></dl>", "  a\n    b"),
        ("<dl><dt>t</dt><dd>d</dd></dl>", "t\n  d"),
        ("<p>x</p><blockquote><p>a</p><p>b<br>c</p></blockquote><p>y</p>", "x\n\n> a\n\n> b\n> c\n\ny"),
        ("<pre>a\n  b\n\nc</pre>d", "a\n  b\n\nc\n\nd"),
        ("<dl><dd><pre>a\n b</pre></dd></dl>", "  a\n   b"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"),
        ("<p>x <img alt=\"A photo\" src=y> z<img alt=''></p>", "x [A photo] z"),
        ("a<style>b</style><script>c</script><span style='display: none'>d<b>e</b></span>f", "af"),
        ("<s>Keep</s> <del>x</del>", "~~Keep~~ ~~x~~"),
        ("<a href='/wiki/A'>A</a> <a href='https://x.example'>x</a>", "A x"),
        ("a&nbsp;b", "a\u{A0}b"),
        ("<div>a</div><div>b</div>c<hr>d", "a\nb\nc\n----\nd"),
        ("مرحبا <b>بك</b>", "مرحبا بك"),
        ("👩‍👩‍👧 <i>é</i>", "👩‍👩‍👧 é"),
        ("", ""), (" \n ", ""),
    ])
    func writesLines(html: String, expected: String) throws { #expect(try text(html) == expected) }

    @Test func writesAPartOfATree() throws {
        let document = try HTMLDocument(parsing: "<ul><li>a</li><li>b</li></ul>")
        let list = try #require(document.firstChild(document.root))
        let item = try #require(document.lastChild(list))
        #expect(HTMLText.plainText(of: item, in: document) == "* b")
        var writer = HTMLText()
        writer.open(item, in: document)
        writer.append("one\ntwo")
        writer.close(item, in: document)
        writer.append("three")
        #expect(writer.result == "* one two\nthree")
    }

    @Test func survivesDeepPages() throws {
        let html = String(repeating: "<div>", count: 9_000) + "x"
        #expect(try text(html) == "x")
    }
}
