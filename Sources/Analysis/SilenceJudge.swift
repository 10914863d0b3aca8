import Base
import Layout
import Opened

/// Finds the tiles and items of a layout that will not be heard. Pure.
///
/// The sound server and its mute state are not considered, since only a running wall knows them.
public struct SilenceJudge {
    private let layout: Layout
    /// Facts of a source; nil if it can't be played.
    private let facts: (String) -> OpenedFacts?

    public init(_ layout: Layout, _ facts: @escaping (String) -> OpenedFacts?) {
        (self.layout, self.facts) = (layout, facts)
    }

    /// Returns the silences of a tile. Those of the whole tile come before those of its items.
    public func silences(of tile: Int) -> [Silence] {
        let tileLayout = layout.tiles[tile]
        var found: [Silence] = []
        func add(_ code: Silence.Code, _ words: String, item: Int? = nil) {
            found.append(Silence(item: item, code: code, words: words))
        }
        if layout.audio.mode == .focus, tile != layout.audio.focus, !tileLayout.play.allSatisfy(showsOnlyStills) {
            let focus = layout.tiles[layout.audio.focus].words
            add(.notFocused, "the focus is on \(focus) at the start")
        }
        if layout.audio.volume == 0 { add(.wallVolumeZero, "the wall's volume is 0") }
        if tileLayout.isMuted { add(.muted, "it is muted") }
        if tileLayout.volume == 0 { add(.volumeZero, "its volume is 0") }
        for (place, item) in tileLayout.play.enumerated() {
            for (code, words) in silences(of: item) {
                add(code, tileLayout.play.count > 1 ? "item \(place): \(words)" : words, item: place)
            }
        }
        return found
    }

    private func showsOnlyStills(_ item: Item) -> Bool {
        item.audio.sources.isEmpty && item.segments.allSatisfy { facts($0.source)?.kind == .still }
    }

    /// Returns a silence for each stem without sound. Other kinds of sound have one silence at most.
    private func silences(of item: Item) -> [(Silence.Code, String)] {
        guard case .stems(let stems) = item.audio else { return silence(of: item).map { [$0] } ?? [] }
        if stems.volume == 0 { return [(.volumeZero, "the volume of its sound is 0")] }
        return stems.files.compactMap { stem in
            let name = "stem \(stem.name): \(SourceName.withoutSecrets(stem.source))"
            guard let facts = facts(stem.source) else { return (.broken, "\(name) can't be played") }
            return facts.soundTracks.isEmpty ? (.soundless, "\(name) has no sound") : nil
        }
    }

    private func silence(of item: Item) -> (Silence.Code, String)? {
        guard let wanted = item.audio.track else { return (.leftOut, "the layout leaves its sound out") }
        var sources = item.segments.map(\.source)
        if case .other(let other) = item.audio {
            if let source = other.source { sources = [source] }
            if other.volume == 0 { return (.volumeZero, "the volume of its sound is 0") }
        }
        // A still image has no sound to miss.
        for source in sources where facts(source)?.kind != .still {
            let name = SourceName.withoutSecrets(source)
            guard let tracks = facts(source)?.soundTracks else { return (.broken, "\(name) can't be played") }
            if tracks.isEmpty { return (.soundless, "\(name) has no sound") }
            switch wanted {
            case .number(let number) where number > tracks.count:
                return (.noTrack, "\(name) has no sound track \(number), but \(tracks.count) in all")
            case .language(let language)
            where !tracks.contains { $0.language.map(Language.init) == Language(language) }:
                let known = tracks.map { $0.language ?? "unnamed" }.joined(separator: ", ")
                return (.noTrack, "\(name) has no sound in \(language), but in \(known)")
            case .number, .language: continue
            }
        }
        return nil
    }
}

extension ItemAudio {
    /// The wanted track of its source; nil if there is none, and for stems.
    var track: SoundChoice.Track? {
        switch self {
        case .silent, .stems: nil
        case .track(let number): .number(number)
        case .language(let language): .language(language)
        case .other(let other): other.track ?? .number(1)
        }
    }
}

extension Layout {
    /// True if no sound of the tile is to be heard, so that its seams and tracks do not matter.
    public func mutes(_ tile: TileLayout) -> Bool { tile.isMuted || tile.volume == 0 || audio.volume == 0 }
}

/// Reason for a tile or an item that is not heard.
public struct Silence: Hashable, Sendable {
    /// nil if the whole tile is not heard.
    public var item: Int?
    public var code: Code
    public var words: String

    public enum Code: String, Sendable {
        /// Only information: the tile is heard when it has the focus.
        case notFocused = "not-focused"
        case muted
        case volumeZero = "volume-zero"
        case wallVolumeZero = "wall-volume-zero"
        case noTrack = "no-track"
        case soundless
        /// The layout leaves its sound out.
        case leftOut = "left-out"
        case broken
    }

    /// True if the layout asks for the silence.
    public var isMeant: Bool { [.muted, .volumeZero, .wallVolumeZero, .leftOut].contains(code) }

    /// True if no command to the wall can make the sound audible.
    public var isFault: Bool { [.noTrack, .broken].contains(code) }
}
