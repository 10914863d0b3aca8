import Base
import Commands
import Feeds
import Layout
import Scene

/// A client of the player: a value that reads snapshots and answers with changes (`Change`). `Wall.featureList` lists
/// the features of a wall. A feature implements the functions that concern it. All functions have defaults.
protocol Feature: Sendable {
    init()

    // MARK: commands

    /// Called before each change that is asked for from outside.
    mutating func commandComes()
    /// Answers a change; nil if it is not the feature's. `tile`: the tile that the change is for; nil if there is none.
    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer?
    /// Returns a text on a change that was made, if the user should read one.
    func notice(after command: Change, of tile: TileID?, _ snapshot: Snapshot) -> String?
    /// Commands of keys and pointer while the feature is on; nil to leave the usual commands.
    var keys: KeyTable? { get }

    // MARK: changes

    /// Changes of the player after which `react` is called.
    var follows: PlayerChanges { get }
    /// Called after each change of the player that the feature follows.
    mutating func react(to player: PlayerCore, at now: Time) -> [Change]
    /// Called when another layout or sequence is about to be played.
    mutating func sequenceChanges()
    /// Called when a file was replaced.
    mutating func fileChanges(_ location: String, _ snapshot: Snapshot)

    // MARK: scenes and marks

    /// Called when a scene is about to be shown.
    mutating func sceneComes(_ scene: Scene, _ snapshot: Snapshot) -> [Change]
    /// Adds to the view of a tile. `run`: the run that is due.
    func complete(_ view: inout View, playing run: RunID?, _ snapshot: Snapshot)
    /// State of the wall that stays on the screen while tiles show no marks; nil for the usual one, and for marks.
    var foot: String? { get }
    /// Changes which marks are visible.
    func change(_ visible: inout MarksVisibility.Visibility)
    /// Returns true if each tile shows all lines that it has room for, as the tile under the pointer does.
    func showsWholeInfo(under pointer: Point?, in scene: Scene, _ snapshot: Snapshot) -> Bool
    /// Adds to the marks of a view. Returns the wall time at which what it adds changes without an event; nil if it
    /// does not.
    func add(to marks: inout Marks, of view: View, _ context: MarksContext, _ snapshot: Snapshot) -> Time?
    /// Adds to the marks of a scene, after the marks of its views were made.
    func complete(_ scene: inout Scene)
    /// Returns true if the bar of a tile has a plot over it, which counts as part of the bar.
    func hasPlot(_ tile: TileID, _ snapshot: Snapshot) -> Bool
    /// Text over the whole wall, with the wall time at which it disappears.
    func text(_ kind: WallText, at now: Time) -> (text: String, until: Time)?

    // MARK: properties

    /// Properties of the wall, and of each tile, that the feature adds.
    static var wallProperties: [WallProperty] { get }
    static var tileProperties: [TileProperty] { get }
}

/// A kind of text over the whole wall.
enum WallText {
    /// A message of the wall itself.
    case announcement
    /// A text on the last command.
    case notice
    /// A text that a command or the program shows.
    case shown
}

/// A feature's answer to a change: the changes that it stands for.
struct FeatureAnswer {
    /// False if the change is refused.
    var isDone: Bool
    var changes: [Change]
    /// Why the change is refused; nil for the usual reason (`WallReport.reason`).
    var reason: String?

    static func done(_ changes: Change...) -> FeatureAnswer { FeatureAnswer(isDone: true, changes: changes) }

    /// `notice`: text on the wall. `reason`: answer to the client that asked, if it is another text.
    static func refused(_ notice: String? = nil, because reason: String? = nil) -> FeatureAnswer {
        FeatureAnswer(isDone: false, changes: notice.map { [.notice($0)] } ?? [], reason: reason ?? notice)
    }
}

/// Values on which the marks of a view depend, beside the player.
struct MarksContext {
    let scene: Scene
    let visible: MarksVisibility.Visibility
    let extent: MarksPlaces.InfoExtent
}

extension Feature {
    mutating func commandComes() {}
    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? { nil }
    func notice(after command: Change, of tile: TileID?, _ snapshot: Snapshot) -> String? { nil }
    var keys: KeyTable? { nil }
    var follows: PlayerChanges { [] }
    mutating func react(to player: PlayerCore, at now: Time) -> [Change] { [] }
    mutating func sequenceChanges() {}
    mutating func fileChanges(_ location: String, _ snapshot: Snapshot) {}
    mutating func sceneComes(_ scene: Scene, _ snapshot: Snapshot) -> [Change] { [] }
    func complete(_ view: inout View, playing run: RunID?, _ snapshot: Snapshot) {}
    var foot: String? { nil }
    func change(_ visible: inout MarksVisibility.Visibility) {}
    func showsWholeInfo(under pointer: Point?, in scene: Scene, _ snapshot: Snapshot) -> Bool { false }
    func add(to marks: inout Marks, of view: View, _ context: MarksContext, _ snapshot: Snapshot) -> Time? { nil }
    func complete(_ scene: inout Scene) {}
    func hasPlot(_ tile: TileID, _ snapshot: Snapshot) -> Bool { false }
    func text(_ kind: WallText, at now: Time) -> (text: String, until: Time)? { nil }
    static var wallProperties: [WallProperty] { [] }
    static var tileProperties: [TileProperty] { [] }
}

/// The features of a wall, in the order in which they are asked.
struct Features {
    fileprivate(set) var all: [any Feature]
    /// The properties of the wall, with those of the features.
    let properties: Properties

    /// Returns the feature of this type; a new one if the wall does not have it.
    subscript<F: Feature>(type: F.Type) -> F { all.lazy.compactMap { $0 as? F }.first ?? F() }

    /// Changes the feature of this type.
    mutating func change<F: Feature, Result>(_ type: F.Type, _ body: (inout F) -> Result) -> Result {
        var feature = self[type]
        let result = body(&feature)
        if let place = all.firstIndex(where: { $0 is F }) { all[place] = feature }
        return result
    }

    /// Lets each feature act, and returns the changes that they ask for.
    mutating func changes(_ body: (inout any Feature) -> [Change]) -> [Change] {
        all.indices.flatMap { body(&all[$0]) }
    }

    mutating func forEach(_ body: (inout any Feature) -> Void) { for place in all.indices { body(&all[place]) } }

    /// Returns the first answer of a feature.
    mutating func first<Answer>(_ body: (inout any Feature) -> Answer?) -> Answer? {
        for place in all.indices { if let answer = body(&all[place]) { return answer } }
        return nil
    }

    /// Returns the first answer of a feature. Changes no feature.
    func firstAnswer<Answer>(_ body: (any Feature) -> Answer?) -> Answer? {
        for feature in all { if let answer = body(feature) { return answer } }
        return nil
    }
}
