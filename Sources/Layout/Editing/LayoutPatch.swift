import Base

/// Changes to be written into a layout's text. A value that is nil stays unchanged.
public struct LayoutTextChanges: Sendable, Equatable {
    /// By index of the tile in the file's list.
    public var tiles: [Int: TileChange] = [:]
    /// Id of the tile that has the focus: `tile1` and the like for a tile without an id.
    public var focus: String?
    /// Volume of the wall, 0 to 100.
    public var volume: Int?
    public var audioMode: AudioMode?
    public var delayMilliseconds: Int?
    public var window = WindowChange()
    public var pipelines: PipelineCount?
    public var quality: Quality?
    public var groups: [String: GroupChange] = [:]

    public init() {}

    public struct WindowChange: Sendable, Equatable {
        public var size: Size?
        public var position: Point?
        public var display: Int?
        public var fullscreen: Fullscreen?
        public var isBorderless: Bool?
    }

    public struct GroupChange: Sendable, Equatable {
        public var loop: GroupLoop?
        public var at: Time?
        public var rate: Rate?
    }

    /// All values of a layout that command-line options can set. Values that differ from the layout's text are written
    /// into it.
    public init(of layout: Layout) {
        let loaded = layout.window
        (window.size, window.position, window.display) = (loaded.size, loaded.position, loaded.display)
        (window.fullscreen, window.isBorderless) = (loaded.fullscreen, loaded.isBorderless)
        (pipelines, quality) = (layout.pipelines, layout.quality)
        (audioMode, volume) = (layout.audio.mode, layout.audio.volume)
        if layout.tiles.indices.contains(layout.audio.focus) { focus = layout.tiles[layout.audio.focus].id }
        if layout.audio.statesDelay { delayMilliseconds = layout.audio.delayMilliseconds }
        for group in layout.groups {
            groups[group.name] = GroupChange(loop: group.loop, at: group.at, rate: group.rate)
        }
        for (place, tile) in layout.tiles.enumerated() { tiles[place] = TileChange(loop: tile.loop) }
    }

    /// Merges with `other`, the changes that a user made by hand. Where both change a value, `other` wins.
    public func merging(_ other: LayoutTextChanges) -> LayoutTextChanges {
        var both = self
        both.tiles.merge(other.tiles) { $0.merging($1) }
        both.focus = other.focus ?? focus
        both.volume = other.volume ?? volume
        both.delayMilliseconds = other.delayMilliseconds ?? delayMilliseconds
        return both
    }

    public struct TileChange: Sendable, Equatable {
        /// Clamped to `Time.longestWritten` in both directions.
        public var offset: Time?
        public var isMuted: Bool?
        /// Clamped to 0 to 100.
        public var volume: Int?
        public var loop: Loop?
        /// Offsets of the compared sources, by index.
        public var comparedOffsets: [Int: Time] = [:]
        public var stems: [StemChange] = []

        public init(offset: Time? = nil, isMuted: Bool? = nil, volume: Int? = nil) {
            (self.offset, self.isMuted, self.volume) = (offset, isMuted, volume)
        }

        init(comparedOffsets: [Int: Time]) { self.comparedOffsets = comparedOffsets }
        init(loop: Loop) { self.loop = loop }

        /// Returns both changes. If both set a value, the value of `other` is taken.
        public func merging(_ other: TileChange) -> TileChange {
            var both = TileChange(
                offset: other.offset ?? offset, isMuted: other.isMuted ?? isMuted, volume: other.volume ?? volume)
            both.loop = other.loop ?? loop
            both.comparedOffsets = comparedOffsets.merging(other.comparedOffsets) { $1 }
            both.stems = stems + other.stems
            return both
        }
    }

    public struct StemChange: Sendable, Equatable {
        /// Indices of the item in the tile's sequence and of the stem in the item.
        public var item: Int
        public var stem: Int
        public var isMuted: Bool?
        public var volume: Int?

        public init(item: Int, stem: Int, isMuted: Bool? = nil, volume: Int? = nil) {
            (self.item, self.stem, self.isMuted, self.volume) = (item, stem, isMuted, volume)
        }
    }
}

/// Why nothing can be written into a layout's text.
public enum LayoutPatchTrouble: Error, Equatable, CustomStringConvertible {
    /// The text has mistakes, for example because it was edited after it was read.
    case mistakes(Mistakes)
    case noTile(place: Int)
    case noTileCalled(String)

    public var description: String {
        switch self {
        case .mistakes(let mistakes): "the file is no longer a valid layout: it has \(mistakes.count) mistakes"
        case .noTile(let place): "the file no longer has a tile \(place + 1)"
        case .noTileCalled(let name): "the file no longer has a tile \(name)"
        }
    }
}

/// Writes changes into a layout's text and leaves all other bytes as they are. Pure: input and output are the bytes of
/// a file.
public enum LayoutPatch {
    /// Returns `bytes` with these changes. A value that the layout states already, or has by default, is left alone. A
    /// different one is replaced, a missing one added in the style of the text around it.
    public static func patched(
        _ bytes: [UInt8], with changes: LayoutTextChanges
    ) throws(LayoutPatchTrouble) -> [UInt8] {
        let (layout, root) = try read(bytes)
        var edit = LayoutEdit(bytes: bytes, root: root)
        for (place, change) in changes.tiles.sorted(by: { $0.key < $1.key }) {
            guard layout.tiles.indices.contains(place) else { throw .noTile(place: place) }
            let tile = root["tiles"]!.elements[place]
            edit.set(members(for: change, of: layout.tiles[place]), in: tile)
            for stem in change.stems {
                guard let loaded = layout.tiles[place].play[safe: stem.item]?.audio.stems[safe: stem.stem],
                    let value = Self.stem(stem, in: tile)
                else { continue }
                edit.set(members(isMuted: stem.isMuted, loaded.isMuted, volume: stem.volume, loaded.volume), in: value)
            }
            for (member, offset) in change.comparedOffsets.sorted(by: { $0.key < $1.key }) {
                guard case .source(_, let loaded)? = layout.tiles[place].compare?.members[safe: member] else {
                    continue
                }
                let written = within(offset)
                if written == loaded { continue }
                edit.set(
                    [NewMember("offset", bytes: WrittenTime.seconds(written))],
                    inItem: tile["compare"]!.elements[member])
            }
        }
        var sound: [NewMember] = []
        if let id = changes.focus {
            guard let place = layout.tiles.firstIndex(where: { $0.id == id }) else { throw .noTileCalled(id) }
            if layout.audio.focus != place { sound.append(NewMember("focus", .text(layout.tiles[place].id))) }
        }
        if let volume = changes.volume.map(percent), volume != layout.audio.volume {
            sound.append(NewMember("volume", .integer(volume)))
        }
        if let mode = changes.audioMode, mode != layout.audio.mode {
            sound.append(NewMember("mode", .text(mode.rawValue)))
        }
        if let delay = changes.delayMilliseconds, !layout.audio.statesDelay || delay != layout.audio.delayMilliseconds {
            sound.append(NewMember("delay", .integer(delay)))
        }
        edit.set(members(for: changes.window, of: layout.window), inObject: "window")
        edit.set(members(for: changes, of: layout))
        for group in changes.groups.sorted(by: { $0.key < $1.key }) {
            edit.set(members(for: group.value, of: layout.groups.first { $0.name == group.key }), inGroup: group.key)
        }
        edit.setGroups()
        edit.set(sound, inObject: "audio")
        return edit.result
    }

    private static func members(for change: LayoutTextChanges.WindowChange, of window: WindowLayout) -> [NewMember] {
        var members: [NewMember] = []
        if let size = change.size, size != window.size {
            members.append(NewMember("size", pair: size.width, size.height))
        }
        if let position = change.position, position != window.position {
            members.append(NewMember("position", pair: position.x, position.y))
        }
        if let display = change.display, display != window.display {
            members.append(NewMember("display", .integer(display)))
        }
        if let fullscreen = change.fullscreen, fullscreen != window.fullscreen {
            let value: PropertyValue = fullscreen == .whilePlaying ? .text("while-playing") : .flag(fullscreen == .on)
            members.append(NewMember("fullscreen", value))
        }
        if let isBorderless = change.isBorderless, isBorderless != window.isBorderless {
            members.append(NewMember("borderless", .flag(isBorderless)))
        }
        return members
    }

    /// Returns the changed members of the layout itself.
    private static func members(for changes: LayoutTextChanges, of layout: Layout) -> [NewMember] {
        var members: [NewMember] = []
        if let pipelines = changes.pipelines, pipelines != layout.pipelines {
            let value: PropertyValue = if case .count(let count) = pipelines { .integer(count) } else { .text("auto") }
            members.append(NewMember("pipelines", value))
        }
        if let quality = changes.quality, quality != layout.quality {
            members.append(NewMember("quality", .text(quality.rawValue)))
        }
        return members
    }

    private static func members(for change: LayoutTextChanges.GroupChange, of group: GroupLayout?) -> [NewMember] {
        var members: [NewMember] = []
        if let loop = change.loop, loop != group?.loop ?? .each {
            members.append(NewMember("loop", .text(loop.rawValue)))
        }
        if let at = change.at, at != group?.at ?? .zero {
            members.append(NewMember("at", bytes: WrittenTime.seconds(at)))
        }
        if let rate = change.rate, rate != group?.rate ?? .one {
            members.append(NewMember("rate", bytes: Array(rate.value.plain.utf8)))
        }
        return members
    }

    /// Returns the layout in these bytes, and its JSON with positions.
    static func read(_ bytes: [UInt8]) throws(LayoutPatchTrouble) -> (Layout, JSONValue) {
        switch LayoutReader.read(bytes, path: "-") {
        case .mistakes(let mistakes): throw .mistakes(mistakes)
        case .layout(let layout):
            guard let root = try? JSONParser.parse(bytes) else { preconditionFailure("a layout is read but once") }
            return (layout, root)
        }
    }

    private static func members(for change: LayoutTextChanges.TileChange, of tile: TileLayout) -> [NewMember] {
        var members: [NewMember] = []
        if let offset = change.offset {
            let written = within(offset)
            if written != tile.offset { members.append(NewMember("offset", bytes: WrittenTime.seconds(written))) }
        }
        if let loop = change.loop, loop != tile.loop {
            let value: PropertyValue =
                switch loop {
                case .forever: .flag(true)
                case .iterations(1): .flag(false)
                case .iterations(let count): .integer(count)
                }
            members.append(NewMember("loop", value))
        }
        return members + self.members(isMuted: change.isMuted, tile.isMuted, volume: change.volume, tile.volume)
    }

    private static func members(
        isMuted: Bool?, _ statedMute: Bool, volume: Int?, _ statedVolume: Int
    ) -> [NewMember] {
        var members: [NewMember] = []
        if let isMuted, isMuted != statedMute { members.append(NewMember("mute", .flag(isMuted))) }
        if let volume = volume.map(percent), volume != statedVolume {
            members.append(NewMember("volume", .integer(volume)))
        }
        return members
    }

    private static func stem(_ place: LayoutTextChanges.StemChange, in tile: JSONValue) -> JSONValue? {
        guard let play = tile["play"] else { return nil }
        let item = if case .array = play.content { play.elements[safe: place.item] } else { Optional(play) }
        return item?["audio"]?["stems"]?.elements[safe: place.stem]
    }

    private static func within(_ offset: Time) -> Time {
        min(max(offset, -Time.longestWritten), Time.longestWritten)
    }

    private static func percent(_ volume: Int) -> Int { min(max(volume, 0), 100) }
}

extension Array {
    fileprivate subscript(safe place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
