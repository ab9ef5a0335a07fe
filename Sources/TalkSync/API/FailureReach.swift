internal import TalkHTTP
public import TalkPages

/// How much of the work on a wiki a failure with one page concerns.
public enum FailureReach: Hashable, Sendable {
    /// This page alone.
    case page
    /// This page, or the wiki: several in a row tell.
    case unclear
    /// Everything that is to be asked of the wiki.
    case wiki
}

extension TalkError {
    /// How much of the work on a wiki this failure with one of its pages concerns.
    ///
    /// A page that the wiki cannot render, or takes too long to, must not keep the others from being pulled.
    public var reach: FailureReach {
        switch (kind, underlying) {
        case (.notFound, _), (.invalid, _), (.damaged, _), (.unreachable, nil): .page
        case (.busy, let error): error is APIError ? .wiki : .page
        case (.unreachable, let error as APIError):
            if case .retryLater(after: .some) = error.errorClass { .wiki } else { .unclear }
        case (.unreachable, let error as TransportError): [.timeout, .cut].contains(error.kind) ? .unclear : .wiki
        default: .wiki
        }
    }
}
