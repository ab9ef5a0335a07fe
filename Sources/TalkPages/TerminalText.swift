package enum TerminalText { package static func safe(_ t: String) -> String { t } }
