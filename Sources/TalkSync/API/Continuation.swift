internal import TalkPages

/// Where an answer in parts goes on, as `action=query` tells (https://www.mediawiki.org/wiki/API:Continue).
///
/// No wiki can keep a program going for ever: an answer that leads back to itself is an error, and so are many in a row
/// that bring nothing. A few such are usual where the wiki filters what it found.
struct Continuation {
    private static let patience = 20

    /// What the next request has to repeat; nothing in the first.
    private(set) var parameters: [(String, String)] = []
    private var fruitless = 0
    private let subject: String

    init(_ subject: String) { self.subject = subject }

    /// Whether there is another part after this answer; `isFruitful` says whether this one had anything new.
    mutating func goesOn(after answer: JSONValue, isFruitful: Bool) throws(TalkError) -> Bool {
        let next = (answer["continue"]?.members ?? [:]).sorted { $0.key < $1.key }.compactMap { key, value in
            (value.text ?? value.integer.map(String.init)).map { (key, $0) }
        }
        if next.isEmpty { return false }
        fruitless = isFruitful ? 0 : fruitless + 1
        guard fruitless < Self.patience, !next.elementsEqual(parameters, by: ==) else {
            throw TalkError(.unreachable, "\(subject): the wiki's answers lead in a circle", hint: "try again later")
        }
        parameters = next
        return true
    }
}
