import Base

/// Identifier of an open source. The player passes it from an opener to a pipeline and back, until it closes the
/// source. The table of the sources themselves stays with the threads that read them.
public struct OpenSourceID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}
