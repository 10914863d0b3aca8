/// What `WallRunner` is to do when it has left the wall's lock.
public struct Effects {
    public private(set) var open: [OpenOrder] = []
    /// Images that tiles bring with them.
    public private(set) var posters: [PosterOrder] = []
    /// Sources that nobody needs any more: closing them may take time.
    public private(set) var close: [any WallSource] = []
    /// What figures are wanted of.
    public private(set) var figures: FiguresOrder?
    public private(set) var events: [Event] = []
    /// For whoever has the window.
    public private(set) var window: [Command.WindowCommand] = []
    /// To be woken.
    public private(set) var pipelines: Set<Int> = []
    /// What they wait for is not wanted any more.
    public private(set) var interrupts: Set<Int> = []
    public private(set) var wakesScreen = false
    /// What is heard may be something else.
    public private(set) var wakesSound = false
    /// A recording begins or ends.
    public private(set) var wakesTakes = false
    /// When the wall must be updated though nothing happened.
    private(set) var nextUpdate: Time?

    /// Answers what is to be done; when to update the wall stays.
    mutating func take() -> Effects {
        defer {
            let next = nextUpdate
            self = Effects()
            nextUpdate = next
        }
        return self
    }

    mutating func open(_ order: OpenOrder) { open.append(order) }
    mutating func load(_ order: PosterOrder) { posters.append(order) }
    mutating func measure(_ order: FiguresOrder) { figures = order }
    mutating func close(_ source: any WallSource) { close.append(source) }
    mutating func emit(_ event: Event) { events.append(event) }
    mutating func window(_ command: Command.WindowCommand) { window.append(command) }

    mutating func wakePipeline(_ pipeline: Int) { pipelines.insert(pipeline) }
    mutating func interruptPipeline(_ pipeline: Int) { interrupts.insert(pipeline) }
    mutating func wakePipelines(_ range: Range<Int>) { pipelines.formUnion(range) }
    mutating func wakeScreen() { wakesScreen = true }
    mutating func wakeSound() { wakesSound = true }
    mutating func wakeTakes() { wakesTakes = true }

    mutating func wakeEverybody(_ pipelines: Range<Int>) {
        (wakesScreen, wakesSound) = (true, true)
        wakePipelines(pipelines)
    }

    // MARK: updates

    mutating func beginUpdate() { nextUpdate = nil }

    /// The wall must be updated by then; nil: never, as far as this goes.
    mutating func scheduleUpdate(at now: Time?) {
        guard let now else { return }
        nextUpdate = nextUpdate.map { min($0, now) } ?? now
    }
}

/// An image that a tile brings with it is to be loaded.
public struct PosterOrder: Sendable {
    public let ticket: Int
    public let tile: TileID
    public let location: String
    public let limit: FrameLimit
}
