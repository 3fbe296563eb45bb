import Glibc

/// A file descriptor with one owner, which closes it.
public final class OwnedDescriptor: Sendable {
    public let number: Int32

    /// Takes ownership of an open descriptor.
    public init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
