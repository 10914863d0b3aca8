import Base
import Layout

extension Wall {
    /// The features of every wall. A feature that comes earlier is asked first.
    private static var featureList: [any Feature] {
        [
            Notices(), ShortageNotice(), LossNotice(), Breaks(), Blind(), Eye(), Comparison(), Figures(), Takes(),
            Subtitles(), LyricsFiles(), ABLoops(), Magnification(), Stems(), Announcements(),
        ]
    }

    /// The properties of every wall.
    public static let properties = Properties(of: featureList)

    /// A wall that plays `layout` as soon as it is begun. `start`: how its clocks start.
    public init(
        layout: Layout, pipelines: Int, cores: Double? = nil, drive: PlayerCore.TimeDrive = .keepsUp,
        start: Clock.Start = Clock.Start()
    ) {
        self.init(
            player: PlayerCore(layout: layout, pipelines: pipelines, cores: cores, drive: drive, start: start),
            features: Features(all: Self.featureList, properties: Self.properties))
    }
}
