import Base
import Feeds

/// The output of the wall: its size, the place of each tile, and the frames that were drawn last.
struct Output {
    private(set) var size: Size
    /// Time between refreshes of the display. Frames that are shown later than this after they were due count as late.
    var refreshInterval = Time(ticks: Time.ticksPerSecond / 60)
    private var rects: [TileID: Rect] = [:]
    private(set) var stage = Stage.wall
    /// Set to `none` while no user can see the wall.
    var frames = Frames.all
    /// State of feeds that picture in picture hides.
    var offStage = OffStage.resting
    /// Due frames of the scene that was requested last. The new ones are reported when the scene is on the screen.
    private var drawn: [DrawnFrame] = []
    /// Wall time since which a scene waits to be presented; nil if the last scene is on the screen.
    private(set) var unshownSince: Time?
    private var coverage = Coverage.all
    /// Magnified part of the frames, by name of the group; none if whole frames are shown.
    var magnified: [String: FrameZoom] = [:]
    /// True while the schedule has switched the display off.
    var isDisplayOff = false

    /// Tiles that a scene draws.
    enum Coverage { case all, some }

    enum OffStage { case resting, warming }

    init(size: Size) { self.size = size }

    // MARK: frames

    /// Sets the size and the tiles' rects. Ends animations.
    mutating func place(_ tiles: [TileID], in rects: [Rect], of size: Size) {
        self.size = size
        self.rects = Dictionary(uniqueKeysWithValues: zip(tiles, rects))
        switch stage {
        case .zoomed(let tile, _): stage = filled(by: tile)
        case .leaving: stage = .wall
        case .wall, .pictureInPicture, .overlaid: break
        }
    }

    private var whole: Rect { Rect(size) }

    func rect(of tile: TileID) -> Rect { rects[tile] ?? Rect(0, 0, 0, 0) }

    /// The topmost tile at a point; `tiles` are in drawing order, bottom to top.
    func tile(at point: Point, of tiles: [TileID]) -> TileID? {
        filling ?? tiles.last { rect(of: $0).contains(x: point.x, y: point.y) }
    }

    // MARK: magnified parts

    /// Returns the part of a group's frames that is shown, in fractions of the part that the layout shows.
    func magnifiedPart(ofGroup name: @autoclosure () -> String) -> Fractions {
        magnified.isEmpty ? .all : magnified[name()]?.part ?? .all
    }

    // MARK: the stage

    var isZoomed: Bool { zoomed != nil }

    /// Tile that fills the wall; nil if none does.
    var zoomed: TileID? { if case .zoomed(let tile, _) = stage { tile } else { nil } }

    /// Tile that fills the output, or will at the end of an animation; nil while all tiles have their places.
    private var filling: TileID? {
        switch stage {
        case .zoomed(let tile, _), .pictureInPicture(let tile), .overlaid(let tile): tile
        case .wall, .leaving: nil
        }
    }

    /// Tile of the layout that covers all others; nil if none does.
    var covering: TileID? { if case .overlaid = stage { nil } else { filling } }

    mutating func toggleZoom(of focus: TileID, at now: Time) {
        let fromItsPlace = ZoomAnimation(from: rect(of: focus), to: whole, begin: now)
        switch stage {
        case .wall: stage = .zoomed(tile: focus, fromItsPlace)
        case .leaving(focus, let animation): stage = .zoomed(tile: focus, animation.turned(to: whole, at: now))
        case .leaving: stage = .zoomed(tile: focus, fromItsPlace)
        case .zoomed(let tile, let animation):
            stage = .leaving(tile: tile, animation.turned(to: rect(of: tile), at: now))
        case .pictureInPicture, .overlaid: break
        }
    }

    /// Shows only this tile, over the whole output; nil shows all tiles again.
    mutating func show(only tile: TileID?) {
        stage = tile.map { .pictureInPicture(tile: $0) } ?? .wall
        offStage = .resting
    }

    /// If a single tile fills the output, replaces it by the focused tile, without animation.
    mutating func follow(focus: TileID) {
        switch stage {
        case .zoomed: stage = filled(by: focus)
        case .pictureInPicture: stage = .pictureInPicture(tile: focus)
        case .wall, .leaving, .overlaid: break
        }
    }

    /// Shows a tile that is not in the layout over the whole wall; nil removes it.
    mutating func overlay(_ tile: TileID?) {
        if let tile { stage = .overlaid(by: tile) } else if case .overlaid = stage { stage = .wall }
    }

    /// Stage after the animation that zooms to `tile`.
    private func filled(by tile: TileID) -> Stage {
        .zoomed(tile: tile, ZoomAnimation(from: whole, to: whole, begin: -.distantFuture))
    }

    /// Removes a tile. Returns true if picture in picture showed it.
    mutating func remove(_ tile: TileID) -> Bool {
        rects[tile] = nil
        switch stage {
        case .zoomed(tile, _), .leaving(tile, _), .overlaid(tile): stage = .wall
        case .pictureInPicture(tile):
            show(only: nil)
            return true
        case .wall, .zoomed, .leaving, .pictureInPicture, .overlaid: break
        }
        return false
    }

    /// Ends an animation that is over. Returns the wall time of the next step of an animation; nil if there is none.
    mutating func advance(at now: Time) -> Time? {
        switch stage {
        case .leaving(_, let animation) where animation.isOver(at: now): stage = .wall
        case .zoomed(_, let animation) where animation.isOver(at: now): break
        case .zoomed, .leaving: return now + refreshInterval
        case .wall, .pictureInPicture, .overlaid: break
        }
        return nil
    }

    /// Tiles to draw, bottom to top, with their rects.
    func places(of tiles: [TileID], at now: Time) -> [(tile: TileID, rect: Rect)] {
        switch stage {
        case .wall: return tiles.map { ($0, rect(of: $0)) }
        case .pictureInPicture(let tile), .overlaid(let tile): return [(tile, whole)]
        // If the frame has another shape than the window, background is drawn beside it, not other tiles.
        case .zoomed(let tile, let animation) where animation.isOver(at: now): return [(tile, animation.to)]
        case .zoomed(let tile, let animation), .leaving(let tile, let animation):
            return tiles.filter { $0 != tile }.map { ($0, rect(of: $0)) } + [(tile, animation.rect(at: now))]
        }
    }

    /// Rect for which a tile's frames are decoded: the one at the end of an animation.
    func rectToDecode(of tile: TileID) -> Rect { tile == filling ? whole : rect(of: tile) }

    /// True if any of these tiles, which view one feed, is visible or will be soon. `isLive`: true if the feed is
    /// connected to a live source. Picture in picture leaves it connected.
    func needsFrames(of tiles: [TileID], isLive: Bool) -> Bool {
        guard frames == .all, !tiles.isEmpty else { return false }
        guard case .pictureInPicture(let tile) = stage, offStage == .resting else { return true }
        return isLive || tiles.contains(tile)
    }

    /// False if picture in picture hides all of these tiles, even if they are decoded.
    func shows(anyOf tiles: [TileID]) -> Bool {
        if case .pictureInPicture(let tile) = stage { tiles.contains(tile) } else { true }
    }

    // MARK: drawn frames

    /// Notes which tiles a scene draws. Returns true if the set of drawn tiles may have changed.
    mutating func note(_ coverage: Coverage) -> Bool {
        defer { self.coverage = coverage }
        return coverage == .some || self.coverage == .some
    }

    mutating func beginScene(at now: Time) { (drawn, unshownSince) = ([], unshownSince ?? now) }

    mutating func note(_ frame: DrawnFrame) { drawn.append(frame) }

    /// Called when the scene is on the screen. Returns the frames that are drawn in it.
    mutating func endScene() -> [DrawnFrame] {
        defer { (drawn, unshownSince) = ([], nil) }
        return drawn
    }
}

/// The tiles that are on the screen, and their places.
enum Stage: Equatable {
    case wall
    /// The tile grows over the others until it fills the wall. Then only this tile is drawn; the others play on.
    case zoomed(tile: TileID, ZoomAnimation)
    /// The tile shrinks back to its place, on top of the others.
    case leaving(tile: TileID, ZoomAnimation)
    /// Picture in picture: only this tile is shown.
    case pictureInPicture(tile: TileID)
    /// Only this tile, which is not in the layout, is drawn; the others play on.
    case overlaid(by: TileID)
}

/// Selects whether video is decoded for the output.
public enum Frames: Sendable { case all, none }

/// Animation from one rect to another: quick at first, then slower.
struct ZoomAnimation: Hashable {
    let from: Rect
    let to: Rect
    let begin: Time
    static let length = Time.milliseconds(200)

    func isOver(at now: Time) -> Bool { now >= begin + ZoomAnimation.length }

    /// Edges move separately and are rounded, as tiles' edges are.
    func rect(at now: Time) -> Rect {
        if now <= begin { return from }
        if isOver(at: now) { return to }
        let left = 1 - Double((now - begin).ticks) / Double(ZoomAnimation.length.ticks)
        let way = 1 - left * left * left
        func edge(_ old: Int, _ new: Int) -> Int { old + Int((Double(new - old) * way).rounded()) }
        let x = edge(from.x, to.x), y = edge(from.y, to.y)
        return Rect(x, y, edge(from.maxX, to.maxX) - x, edge(from.maxY, to.maxY) - y)
    }

    /// Redirects the animation from its current rect to another goal.
    func turned(to goal: Rect, at now: Time) -> ZoomAnimation {
        ZoomAnimation(from: rect(at: now), to: goal, begin: now)
    }
}
