import Foundation

/// Statistics of a camera's shots and the pauses between them.
public struct Sight: Sendable {
    /// Longest pause between two shots, in seconds, that does not count as blind.
    public static let blink = 0.02

    /// Time from its first shot to its last.
    public let seconds: Double
    public let shots: Int
    /// Sum of the pauses between shots that were longer than a blink.
    public let blindSeconds: Double
    public let longestPause: Double

    public init(_ shots: [Camera.Shot]) {
        self.shots = shots.count
        let pauses = zip(shots, shots.dropFirst()).map { $1.time - $0.time }
        seconds = pauses.reduce(0, +)
        blindSeconds = pauses.filter { $0 > Sight.blink }.reduce(0, +)
        longestPause = pauses.max() ?? 0
    }

    /// True if the camera took more than 60 shots a second, and was blind for at most a twentieth of the time. A camera
    /// that was stopped after its first shot was not blind.
    public var isGood: Bool { shots > 0 && Double(shots) > leastRate * seconds && blindSeconds <= mostBlind }

    /// Time that the camera would have had to see more to be good, in seconds. Infinite without a shot.
    public var lackingSeconds: Double {
        shots > 0 ? max(blindSeconds - mostBlind, seconds - Double(shots) / leastRate) : .infinity
    }

    private var leastRate: Double { 60 }
    private var mostBlind: Double { max(0.1, seconds / 20) }
}

/// The cameras that a test has made, so that they can be judged in one place.
///
/// Any thread may call any method. A test's own thread makes its cameras while the album is the current one.
public final class Album: @unchecked Sendable {
    @TaskLocal public static var current: Album?

    private let lock = NSLock()
    private var cameras: [Camera] = []

    public init() {}

    func add(_ camera: Camera) { lock.withLock { cameras.append(camera) } }

    /// Sight of each camera, in the order in which they began.
    public var sights: [Sight] { lock.withLock { cameras }.map(\.sight) }

    /// Stops the cameras that still run, and releases all.
    public func close() {
        let cameras = lock.withLock {
            defer { self.cameras = [] }
            return self.cameras
        }
        for camera in cameras { camera.stop() }
    }
}
