public enum EditSummary { public static func reply(heading: String) -> String { "/* \(heading) */ Reply" } }
