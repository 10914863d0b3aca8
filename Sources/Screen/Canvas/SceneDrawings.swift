import Base
import Scene

/// Drawings that a canvas keeps of the last scene: those of its views and those over the wall. Used by one thread at a
/// time.
final class SceneDrawings {
    /// Drawings of the views, in the order of the scene.
    private(set) var views: [ViewDrawings] = []
    /// Marks that are drawn over all views.
    private(set) var wall = Decoration()
    /// Time after the scene's instant at which the lyrics must be redrawn; nil if they don't change by themselves.
    private(set) var lyricsChange: Time?
    /// Gains that were chosen from the frames.
    private(set) var gains: [TileID: Double] = [:]
    private let texts: TextMaker?
    private let shapes = ShapeStore()
    private var keys: [ViewKey] = []
    /// The scene itself, with the gains; nil until there is one.
    private(set) var last: Scene?
    /// Number of texts that were ready.
    private var generation = 0

    init(texts: TextMaker?) { self.texts = texts }

    /// Takes in a new scene, in which the gains that were chosen are stated. Returns the areas to draw anew. `isWhole`:
    /// true if the last scene is on the canvas.
    func follow(_ scene: inout Scene, isWhole: Bool) -> [Rect] {
        if let last, last.size != scene.size {
            shapes.forget()
            texts?.forget()
        }
        keepViews(of: scene)
        settleGains(of: &scene)
        let now = texts?.generation ?? 0, mayComplete = now != generation
        generation = now
        lyricsChange = nil
        let places = OverlayPlaces(in: scene.size), overlay = scene.overlay
        let taken = overlay.info.isEmpty && overlay.foot == nil ? [] : scene.textAreas
        let foot = places.foot(of: overlay, avoiding: taken)
        // Areas that look different because of marks and words.
        var areas: [Rect] = []
        for (place, view) in scene.views.enumerated() {
            let marks = views[place].decoration.follow(Decorated(view), texts, shapes, mayComplete: mayComplete)
            let words = followLyrics(of: view, views[place], foot: foot)
            areas += (marks + words).filter { !scene.isHidden($0, above: place) }
        }
        // The lines over the wall cover neither words nor figures.
        let words = overlay.info.isEmpty ? [] : views.flatMap { $0.lyrics?.marks.map(\.clip) ?? [] }
        let info = places.info(of: overlay, avoiding: taken + words)
        let shown = Decorated(overlay, in: scene.size, infoTop: info.y, footTop: foot.y)
        areas += wall.follow(shown, texts, shapes, mayComplete: mayComplete)
        defer { last = scene }
        return scene.damage(since: isWhole ? last : nil, decorated: areas)
    }

    /// Forgets the drawings of views that are no longer there.
    private func keepViews(of scene: Scene) {
        let now = scene.keys
        if now == keys { return }
        let known = Dictionary(uniqueKeysWithValues: zip(keys, views))
        (keys, views) = (now, now.map { known[$0] ?? ViewDrawings() })
    }

    /// Composes the frames whose gain is automatic, and adds the gain to the marks.
    private func settleGains(of scene: inout Scene) {
        gains = [:]
        for (place, view) in scene.views.enumerated() {
            guard case .comparison(let frames) = view.content, frames.gain == nil,
                frames.mode.usesGain, !frames.target.intersection(Rect(scene.size)).isEmpty
            else { continue }
            let composed = views[place].composed
            composed.compose(frames)
            guard let gain = composed.gain else { continue }
            gains[view.tile] = gain
            scene.views[place].marks.comparison.state(gain: gain)
        }
    }

    /// Updates the lyrics over a view. Returns the areas that look different. `foot`: area at the wall's lower edge that
    /// is taken.
    private func followLyrics(of view: View, _ drawings: ViewDrawings, foot: Rect) -> [Rect] {
        guard let words = view.lyrics, let texts else {
            defer { drawings.lyrics = nil }
            return drawings.lyrics?.marks.map(\.clip) ?? []
        }
        let lyrics = drawings.lyrics ?? LyricsDecoration(texts)
        drawings.lyrics = lyrics
        let area = MarksPlaces(in: view.lyricsRect).words(
            words.layout.position, below: view.marks, hasLabel: view.label != nil, foot: foot)
        let areas = lyrics.follow(words, view.lyricsRect, area)
        if words.speed > 0, let change = lyrics.change {
            let wait = Time(seconds: (change - words.time).seconds / words.speed)
            lyricsChange = min(lyricsChange ?? wait, wait)
        }
        return areas
    }
}

/// Drawings that a canvas keeps of one view.
final class ViewDrawings {
    /// The frame as the CPU canvas has drawn it; nil if it was not scaled.
    var scaled: ScaledFrame?
    /// Used by the GPU canvas.
    var texture: TextureStore.Texture?
    private lazy var mixer = FadeMixer()
    private(set) lazy var composed = ComposedFrame()
    var decoration = Decoration()
    /// nil if the view has no lyrics.
    fileprivate(set) var lyrics: LyricsDecoration?

    /// Returns the frame of a view's content, as far as it is in `bounds`; nil if there is none. Frames are mixed and
    /// compared here for either canvas, since SDL's blend modes round differently: both must show the same.
    func frame(of content: View.Content, in bounds: Rect) -> PlacedFrame? {
        switch content {
        case .frame(let placed), .poster(let placed): placed
        case .fade(let fade): mixer.mix(fade, in: bounds)
        case .comparison(let frames): composed.compose(frames)
        case .card, .blank: nil
        }
    }

    /// Marks over the frame, from bottom to top. Words stand above the shade of the bar, so that it darkens none of
    /// them.
    var layers: [[Mark]] { [decoration.shades, lyrics?.marks ?? [], decoration.marks] }
}

extension Card {
    /// Colour of the view behind a card.
    static let panel = Color(red: 0x20, green: 0x21, blue: 0x26)
}

extension Marks.Comparison {
    /// Adds a gain to the names that leave it to the canvas.
    fileprivate mutating func state(gain: Double) {
        for place in sides.indices where sides[place].showsGain {
            let words = "\u{D7}\(gain.plain), automatic"
            sides[place].name = sides[place].name.isEmpty ? words : "\(sides[place].name)  \(words)"
            sides[place].showsGain = false
        }
    }
}
