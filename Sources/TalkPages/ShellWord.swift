/// A text as one word of a command line that people copy.
public enum ShellWord {
    /// The text as it is where a shell takes it so, else in single quotes.
    public static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x80
                ? scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                : scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "_./:@%+=,-".unicodeScalars.contains(scalar)
        }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
