/// What shows the wall: its size, where each tile stands on it, and what was drawn there last.
struct Output {
    private(set) var size: Size
    /// Frames later than this after they were due count as late.
    private(set) var refreshInterval = Time(ticks: Time.ticksPerSecond / 60)
    private var rects: [TileID: Rect] = [:]
    private(set) var stage = Stage.wall
    /// `none`: nobody sees it.
    private var frames = Frames.all
    /// What feeds do that picture in picture hides.
    private var offStage = OffStage.resting
    private var drawn: [Drawn] = []
    /// Since when the screen has a scene that it has not shown, in wall time; nil: it shows the last one.
    private(set) var unshownSince: Time?
    private var coverage = Coverage.all
    /// The schedule has switched the display off.
    var isDisplayOff = false

    /// Which of the tiles a scene draws.
    enum Coverage { case all, some }

    enum OffStage { case resting, warming }

    /// A frame that was put into a scene.
    struct Drawn {
        let feed: FeedID
        let slot: Int
        let serial: Int
    }

    init(size: Size) { self.size = size }

    mutating func setRefreshInterval(_ interval: Time) { refreshInterval = interval }

    // MARK: frames

    /// It has this size, and the tiles these frames. What was on its way is there.
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

    /// The topmost of these tiles, from bottom to top, at a place.
    func tile(at point: Point, of tiles: [TileID]) -> TileID? {
        switch stage {
        case .zoomed(let tile, _), .pictureInPicture(let tile), .overlaid(let tile): tile
        case .wall, .leaving: tiles.last { rect(of: $0).contains(x: point.x, y: point.y) }
        }
    }

    // MARK: the stage

    var isZoomed: Bool { zoomed != nil }

    /// The tile that fills the wall.
    var zoomed: TileID? { if case .zoomed(let tile, _) = stage { tile } else { nil } }

    mutating func toggleZoom(of focus: TileID, at now: Time) {
        let fromItsPlace = ZoomAnimation(from: rect(of: focus), to: whole, at: now)
        switch stage {
        case .wall: stage = .zoomed(tile: focus, fromItsPlace)
        case .leaving(focus, let animation): stage = .zoomed(tile: focus, animation.turned(to: whole, at: now))
        case .leaving: stage = .zoomed(tile: focus, fromItsPlace)
        case .zoomed(let tile, let animation):
            stage = .leaving(tile: tile, animation.turned(to: rect(of: tile), at: now))
        case .pictureInPicture, .overlaid: break
        }
    }

    /// Only this tile is shown, over all of it; nil: all of them again.
    mutating func show(only tile: TileID?) {
        stage = tile.map { .pictureInPicture(tile: $0) } ?? .wall
        offStage = .resting
    }

    /// What it hides is decoded all the same.
    mutating func warmHidden() { offStage = .warming }

    mutating func setFrames(_ frames: Frames) { self.frames = frames }

    /// Where one tile is all there is, that is the one with the focus, at once.
    mutating func follow(focus: TileID) {
        switch stage {
        case .zoomed: stage = filled(by: focus)
        case .pictureInPicture: stage = .pictureInPicture(tile: focus)
        case .wall, .leaving, .overlaid: break
        }
    }

    /// A tile that is not of the layout lies over the whole wall; nil: it goes.
    mutating func overlay(_ tile: TileID?) {
        if let tile { stage = .overlaid(by: tile) } else if case .overlaid = stage { stage = .wall }
    }

    /// The tile has come.
    private func filled(by tile: TileID) -> Stage {
        .zoomed(tile: tile, ZoomAnimation(from: whole, to: whole, at: -.distantFuture))
    }

    /// A tile goes; says whether it was all there was.
    mutating func remove(_ tile: TileID) -> Bool {
        rects[tile] = nil
        switch stage {
        case .zoomed(tile, _), .leaving(tile, _): stage = .wall
        case .pictureInPicture(tile):
            show(only: nil)
            return true
        case .overlaid(tile): stage = .wall
        case .wall, .zoomed, .leaving, .pictureInPicture, .overlaid: break
        }
        return false
    }

    /// Ends what is over; says when the frame changes by itself.
    mutating func advance(at now: Time) -> Time? {
        switch stage {
        case .leaving(_, let animation) where animation.isOver(at: now): stage = .wall
        case .zoomed(_, let animation) where animation.isOver(at: now): break
        case .zoomed, .leaving: return now + refreshInterval
        case .wall, .pictureInPicture, .overlaid: break
        }
        return nil
    }

    /// What is drawn of these tiles, bottom to top, with their frames.
    func places(of tiles: [TileID], at now: Time) -> [(tile: TileID, rect: Rect)] {
        switch stage {
        case .wall: return tiles.map { ($0, rect(of: $0)) }
        case .pictureInPicture(let tile), .overlaid(let tile): return [(tile, whole)]
        // Beside a frame of another shape than the window's there is background, not a neighbour.
        case .zoomed(let tile, let animation) where animation.isOver(at: now): return [(tile, animation.to)]
        case .zoomed(let tile, let animation), .leaving(let tile, let animation):
            return tiles.filter { $0 != tile }.map { ($0, rect(of: $0)) } + [(tile, animation.rect(at: now))]
        }
    }

    /// The size that a tile's frames are made for: not that of each step of an animation, but of its end.
    func rectToDecode(of tile: TileID) -> Rect {
        switch stage {
        case .zoomed(tile, _), .pictureInPicture(tile), .overlaid(tile): whole
        default: rect(of: tile)
        }
    }

    /// Some of these tiles, which look at one feed, are shown, or will be in a moment.
    func needsFrames(of tiles: [TileID]) -> Bool {
        guard frames == .all, !tiles.isEmpty else { return false }
        guard case .pictureInPicture(let tile) = stage, offStage == .resting else { return true }
        return tiles.contains(tile)
    }

    /// Not behind picture in picture, though it may be decoded there.
    func shows(anyOf tiles: [TileID]) -> Bool {
        if case .pictureInPicture(let tile) = stage { tiles.contains(tile) } else { true }
    }

    // MARK: what was drawn

    /// Whether other tiles may be drawn than before.
    mutating func becomes(_ coverage: Coverage) -> Bool {
        defer { self.coverage = coverage }
        return coverage == .some || self.coverage == .some
    }

    mutating func beginScene(at now: Time) { (drawn, unshownSince) = ([], unshownSince ?? now) }

    mutating func note(_ frame: Drawn) { drawn.append(frame) }

    /// The scene is on the screen: what of it was not there before.
    mutating func endScene() -> [Drawn] {
        defer { (drawn, unshownSince) = ([], nil) }
        return drawn
    }
}

/// Which tiles are on the screen, and where.
enum Stage: Equatable {
    case wall
    /// The tile comes over the others to fill the wall, and is all that is drawn when it does; they play on.
    case zoomed(tile: TileID, ZoomAnimation)
    /// The tile goes back to its place, still on top.
    case leaving(tile: TileID, ZoomAnimation)
    /// Picture in picture: the tile is all there is.
    case pictureInPicture(tile: TileID)
    /// A tile that is none of the layout's is all that is drawn; the others play on.
    case overlaid(by: TileID)
}

/// Whether video is decoded for it.
public enum Frames: Sendable { case all, none }
