import Foundation

/// Films tiles on a real X display from outside, at a given rate, on a thread of its own.
///
/// Holds its display until it is released; a test stops it at its end. Any thread may call any method.
public final class Camera: @unchecked Sendable {
    public struct Shot: Sendable {
        /// CLOCK_MONOTONIC in seconds when the shot was complete.
        public let time: Double
        /// One reading per tile, in the tiles' order.
        public let readings: [Reading]

        public init(time: Double, readings: [Reading]) { (self.time, self.readings) = (time, readings) }
    }

    private let lock = NSLock()
    private var shots: [Shot] = []
    private var isStopping = false
    private var hasEnded = false
    private let tiles: [Tile]

    /// Begins at once. `rate`: most shots a second.
    public init(_ display: Display, _ tiles: [Tile], rate: Double = 200) throws {
        self.tiles = tiles
        let lens = SendableLens(try Lens(display, Camera.hull(tiles)))
        let thread = Thread { [self] in
            watch(lens.lens, every: 1 / rate)
            lock.withLock { hasEnded = true }
        }
        thread.stackSize = 4 << 20
        thread.start()
        Album.current?.add(self)
    }

    private func watch(_ lens: Lens, every interval: Double) {
        var next = RealTime.now
        while !lock.withLock({ isStopping }) {
            let pixels = lens.look()
            let shot = Shot(time: RealTime.now, readings: tiles.map { $0.read(pixels) })
            lock.withLock { shots.append(shot) }
            next = max(next + interval, shot.time)
            let rest = next - RealTime.now
            guard rest > 0 else { continue }
            var pause = timespec(tv_sec: Int(rest), tv_nsec: Int(rest.truncatingRemainder(dividingBy: 1) * 1e9))
            clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nil)
        }
    }

    /// The shots so far.
    public var film: Film { Film(lock.withLock { shots }) }

    /// Statistics of the shots and the pauses between them.
    public var sight: Sight { Sight(lock.withLock { shots }) }

    /// A tile's reading in the latest shot.
    public func latest(_ tile: Int = 0) -> Reading? { lock.withLock { shots.last?.readings[tile] } }

    /// Waits until all tiles could be read in one shot. Returns false after a timeout.
    public func waitUntilReadable(atMost limit: Double) -> Bool {
        RealTime.wait(atMost: limit) {
            guard let shot = lock.withLock({ shots.last }) else { return false }
            return shot.readings.allSatisfy(\.isFrame)
        }
    }

    /// Stops the camera and returns its film.
    @discardableResult
    public func stop() -> Film {
        lock.withLock { isStopping = true }
        RealTime.wait(atMost: 5) { lock.withLock { hasEnded } }
        return film
    }

    private static func hull(_ tiles: [Tile]) -> Area {
        let left = tiles.map(\.area.x).min()!, top = tiles.map(\.area.y).min()!
        let right = tiles.map { $0.area.x + $0.area.width }.max()!
        let bottom = tiles.map { $0.area.y + $0.area.height }.max()!
        return Area(left, top, right - left, bottom - top)
    }

    /// Moves the lens to the camera's thread, which keeps it.
    private final class SendableLens: @unchecked Sendable {
        let lens: Lens
        init(_ lens: Lens) { self.lens = lens }
    }
}
