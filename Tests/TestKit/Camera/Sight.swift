import Foundation

/// How much a camera saw of the time that it watched.
public struct Sight: Sendable {
    /// Longer than this between two shots, the camera did not come to look.
    public static let blink = 0.02

    /// From its first shot to its last.
    public let seconds: Double
    public let shots: Int
    /// In pauses between shots that were longer than a blink.
    public let blindSeconds: Double
    public let longestPause: Double

    public init(_ shots: [Camera.Shot]) {
        self.shots = shots.count
        let pauses = zip(shots, shots.dropFirst()).map { $1.time - $0.time }
        seconds = pauses.reduce(0, +)
        blindSeconds = pauses.filter { $0 > Sight.blink }.reduce(0, +)
        longestPause = pauses.max() ?? 0
    }

    /// It looked at least so often, and for at most a twentieth of its time it did not.
    public var isGood: Bool { shots > 1 && Double(shots) > 60 * seconds && blindSeconds <= max(0.1, seconds / 20) }
}

/// The cameras that a test has made, so that what they saw can be judged in one place.
///
/// Any thread may call any method. A test's own thread makes its cameras while the album is the current one.
public final class Album: @unchecked Sendable {
    @TaskLocal public static var current: Album?

    private let lock = NSLock()
    private var cameras: [Camera] = []

    public init() {}

    func add(_ camera: Camera) { lock.withLock { cameras.append(camera) } }

    /// What each camera saw, in the order in which they began.
    public var sights: [Sight] { lock.withLock { cameras }.map(\.sight) }

    /// Ends the watching of those that nobody has stopped, and lets go of all.
    public func close() {
        let cameras = lock.withLock {
            defer { self.cameras = [] }
            return self.cameras
        }
        for camera in cameras { camera.stop() }
    }
}
