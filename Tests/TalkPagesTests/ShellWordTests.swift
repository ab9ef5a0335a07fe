import TalkPages
import Testing

/// Hints are copied to a shell.
@Suite struct ShellWordTests {
    @Test(arguments: [
        ("Talk:Bridge", "Talk:Bridge"), ("User_talk:Ada/Archive.1", "User_talk:Ada/Archive.1"),
        ("Talk:Alte_Brücke", "Talk:Alte_Brücke"),
        ("https://wiki.example:8080/wiki/X%20y", "https://wiki.example:8080/wiki/X%20y"),
        ("Talk:A b", "'Talk:A b'"), ("Talk:It's", #"'Talk:It'\''s'"#), ("Talk:A#B", "'Talk:A#B'"),
        ("Talk:$(id)", "'Talk:$(id)'"),
        ("https://wiki.example/w/index.php?title=A&b=c", "'https://wiki.example/w/index.php?title=A&b=c'"),
        ("Talk:a;b", "'Talk:a;b'"), ("Talk:A\u{A0}b", "'Talk:A\u{A0}b'"), ("", "''"), ("*", "'*'"), ("~", "'~'"),
    ])
    func quotesWhatAShellWouldTakeApart(text: String, word: String) { #expect(ShellWord.quoted(text) == word) }
}
