import Base
import Commands
import Scene

/// Work that `WallRunner` does after it has released the wall's lock.
public struct Effects {
    public private(set) var open: [OpenOrder] = []
    /// Posters to be loaded.
    public private(set) var posters: [PosterOrder] = []
    /// Sources to be closed. Closing may take time.
    public private(set) var close: [OpenSourceID] = []
    /// Frames to measure PSNR and SSIM of.
    public private(set) var figures: FiguresOrder?
    public private(set) var events: [Event] = []
    /// Commands for the main thread, which owns the window.
    public private(set) var window: [Change.WindowCommand] = []
    public private(set) var pipelinesToWake: Set<Int> = []
    /// Pipelines to be interrupted in a blocking read, because the data is not wanted any more.
    public private(set) var interrupts: Set<Int> = []
    public private(set) var wakesScreen = false
    /// True if the mix may have changed.
    public private(set) var wakesSound = false
    /// True if a recording begins or ends.
    public private(set) var wakesTakes = false
    /// True if another layout was applied.
    public private(set) var changesLayout = false
    /// Wall time of the next update if nothing happens before.
    public private(set) var nextUpdate: Time?
    /// Number of events that were emitted so far.
    public private(set) var emitted = 0

    public init() {}

    /// Returns the collected work and clears all but `nextUpdate` and `emitted`.
    public mutating func take() -> Effects {
        defer {
            let (next, count) = (nextUpdate, emitted)
            self = Effects()
            (nextUpdate, emitted) = (next, count)
        }
        return self
    }

    /// Returns the events after the first `count` that were emitted, as far as they are still here.
    public func events(after count: Int) -> ArraySlice<Event> { events.suffix(emitted - count) }

    public mutating func open(_ order: OpenOrder) { open.append(order) }
    public mutating func load(_ order: PosterOrder) { posters.append(order) }
    public mutating func measure(_ order: FiguresOrder) { figures = order }
    public mutating func close(_ source: OpenSourceID) { close.append(source) }
    /// `focus`: name of the tile that has the focus.
    public mutating func emit(_ what: Event.What, at now: Time, focus: String?) {
        events.append(Event(at: now, what: what, focus: focus))
        emitted += 1
    }
    public mutating func window(_ command: Change.WindowCommand) { window.append(command) }

    public mutating func wakePipeline(_ pipeline: Int) { pipelinesToWake.insert(pipeline) }
    public mutating func interruptPipeline(_ pipeline: Int) { interrupts.insert(pipeline) }
    public mutating func wakePipelines(_ range: Range<Int>) { pipelinesToWake.formUnion(range) }
    public mutating func wakeScreen() { wakesScreen = true }
    public mutating func wakeSound() { wakesSound = true }
    public mutating func wakeTakes() { wakesTakes = true }
    public mutating func changeLayout() { changesLayout = true }

    public mutating func wakeEverybody(_ pipelines: Range<Int>) {
        (wakesScreen, wakesSound) = (true, true)
        wakePipelines(pipelines)
    }

    /// Sets the wall time of the next update; nil if only an event makes something due.
    public mutating func setNextUpdate(_ instant: Time?) { nextUpdate = instant }

    public mutating func hasten(nextUpdateTo instant: Time) { nextUpdate = min(nextUpdate ?? instant, instant) }
}

/// Order to load the poster of a tile.
public struct PosterOrder: Sendable {
    public let ticket: Int
    public let tile: TileID
    public let location: String
    public let limit: FrameLimit

    public init(ticket: Int, tile: TileID, location: String, limit: FrameLimit) {
        (self.ticket, self.tile, self.location, self.limit) = (ticket, tile, location, limit)
    }
}
