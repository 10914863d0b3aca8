import Base
import Commands
import Opened

/// Work that `LockedWall` does after it has released the wall's lock: a snapshot of what an `Outbox` has collected.
public struct Effects {
    public fileprivate(set) var open: [OpenOrder] = []
    /// Posters to be loaded.
    public fileprivate(set) var posters: [PosterOrder] = []
    /// Sources to be closed. Closing may take time.
    public fileprivate(set) var close: [OpenSourceID] = []
    /// Frames to measure PSNR and SSIM of.
    public fileprivate(set) var figures: FiguresOrder?
    public fileprivate(set) var events: [Event] = []
    /// Commands for the main thread, which owns the window.
    public fileprivate(set) var window: [Change.WindowCommand] = []
    public fileprivate(set) var pipelinesToWake: Set<Int> = []
    /// Pipelines to be interrupted in a blocking read, because the data is not wanted any more.
    public fileprivate(set) var interrupts: Set<Int> = []
    public fileprivate(set) var wakesScreen = false
    /// True if the mix may have changed.
    public fileprivate(set) var wakesSound = false
    /// True if a recording begins or ends.
    public fileprivate(set) var wakesTakes = false
    /// True if another layout was applied.
    public fileprivate(set) var changesLayout = false
}

/// Collects the effects of changes until the shell takes them. Every part of the player has the same outbox.
public final class Outbox {
    public private(set) var effects = Effects()
    /// Wall time of the next update if nothing happens before; nil if only an event makes something due.
    public var nextUpdate: Time?
    /// Number of events that were emitted so far.
    public private(set) var emitted = 0

    public init() {}

    /// Returns the collected effects and clears them.
    public func take() -> Effects {
        defer { effects = Effects() }
        return effects
    }

    /// Returns the events after the first `count` that were emitted, as far as they are still here.
    public func events(after count: Int) -> ArraySlice<Event> { effects.events.suffix(emitted - count) }

    public func open(_ order: OpenOrder) { effects.open.append(order) }
    public func load(_ order: PosterOrder) { effects.posters.append(order) }
    public func measure(_ order: FiguresOrder) { effects.figures = order }
    public func close(_ source: OpenSourceID) { effects.close.append(source) }
    /// `focus`: name of the tile that has the focus.
    public func emit(_ what: Event.What, at now: Time, focus: String?) {
        effects.events.append(Event(at: now, what: what, focus: focus))
        emitted += 1
    }
    public func window(_ command: Change.WindowCommand) { effects.window.append(command) }

    public func wakePipeline(_ pipeline: Int) { effects.pipelinesToWake.insert(pipeline) }
    public func interruptPipeline(_ pipeline: Int) { effects.interrupts.insert(pipeline) }
    public func wakePipelines(_ range: Range<Int>) { effects.pipelinesToWake.formUnion(range) }
    public func wakeScreen() { effects.wakesScreen = true }
    public func wakeSound() { effects.wakesSound = true }
    public func wakeTakes() { effects.wakesTakes = true }
    public func changeLayout() { effects.changesLayout = true }

    public func wakeEverybody(_ pipelines: Range<Int>) {
        wakeScreen()
        wakeSound()
        wakePipelines(pipelines)
    }

    public func hasten(nextUpdateTo instant: Time) { nextUpdate = min(nextUpdate ?? instant, instant) }
}
