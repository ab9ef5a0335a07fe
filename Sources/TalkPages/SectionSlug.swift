/// Gives the sections of one page their files' names, in page order.
///
/// The name comes from the heading's text, never from the position, so that a new topic renames no other file; equal
/// slugs get `~2`, `~3`, which no slug can contain.
public struct SectionSlugs: Sendable {
    /// The most bytes of a slug before it is cut.
    public static let limit = 120
    /// The directory of the section files.
    public static let directory = "sections/"

    private var counts: [String: Int] = [:]

    /// No section was named yet.
    public init() {}

    /// The slug of a heading's text; `_` when it has none.
    public static func slug(_ heading: String) -> String {
        heading.isEmpty ? "_" : RefComponent.escape(heading, limit: limit)
    }

    /// The path of the next section's file below the page's directory.
    public mutating func nextFile(for heading: String) -> String {
        let slug = Self.slug(heading)
        let number = counts[slug, default: 0] + 1
        counts[slug] = number
        return Self.directory + slug + (number > 1 ? "~\(number)" : "") + ".html"
    }

    /// Whether a path is one that `nextFile` can give.
    public static func isValidFile(_ file: String) -> Bool {
        // By bytes: a name may begin with a combining mark, which as a character joins the slash before it.
        let bytes = file.utf8
        guard bytes.starts(with: directory.utf8), bytes.suffix(5).elementsEqual(".html".utf8),
            let name = String(bytes.dropFirst(directory.utf8.count).dropLast(5))
        else { return false }
        let parts = name.split(separator: "~", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: break
        case 2:
            guard let number = Int(parts[1]), number >= 2, String(number) == parts[1] else { return false }
        default: return false
        }
        return parts[0] == "_" || RefComponent.isValid(String(parts[0]), limit: limit)
    }
}
