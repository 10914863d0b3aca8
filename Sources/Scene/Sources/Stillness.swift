/// Result of comparing a frame with the ones before it.
public enum Stillness: Sendable {
    case unknown, same, moved
}
