/// A test's way to stop the store anywhere: it is told of each change before the change is made.
package struct StoreFaults: Sendable {
    package let reach: @Sendable (String) -> Void

    package static let none = StoreFaults { _ in }

    package init(_ reach: @escaping @Sendable (String) -> Void) { self.reach = reach }
}
