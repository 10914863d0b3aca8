@testable import Base
@testable import Commands
@testable import Heard
@testable import Layout
@testable import Player

/// A simulated wall that takes the actions of a walk and checks the invariants after each. A violation ends the
/// process, as a trap in the wall does.
struct WalkWorld {
    private var world: Simulation?
    /// True if the next action comes between a scene and the report that the scene was presented.
    private var isDrawn = false
    private(set) var layoutsTaken = 0
    private(set) var layoutsRefused = 0
    private(set) var commandsDone = 0

    /// Clips by their names relative to the layout's folder.
    static let clips: [String: FakeClip] = [
        "film.mp4": FakeClip(frames: 90), "long.mkv": FakeClip(frames: 240, gop: 60),
        "short.mp4": FakeClip(frames: 10, gop: 10), "one.mp4": FakeClip(frames: 1),
        "slow.mp4": FakeClip(frames: 120, rate: 25, framesDecodeIn: .milliseconds(55)),
        "unknown.ts": FakeClip(frames: 75, knowsItsLength: false, listsKeyFrames: false),
        "still.png": FakeClip(frames: 1, isStill: true), "sound.ogg": FakeClip(frames: 60, isSound: true),
        "wide.mp4": FakeClip(frames: 100, rate: 25, blackUntil: 20, natural: Size(1920, 800)),
        "dot.mp4": FakeClip(frames: 40, natural: Size(1, 1)),
        "gone.mp4": FakeClip(frames: 1, trouble: SourceTrouble(.missing, "no such file")),
        "never.mp4": FakeClip(frames: 50, opensIn: .seconds(40)),
        "empty.mp4": FakeClip(frames: 0),
    ]
    static let liveClips: [String: FakeClip] = [
        "udp://127.0.0.1:5004": FakeClip(frames: 600, madeFrom: .seconds(100)),
        "udp://127.0.0.1:5005": FakeClip(frames: 2000, rate: 25, opensIn: .milliseconds(900), madeFrom: .seconds(95)),
        "http://127.0.0.1/slow.mp4": FakeClip(frames: 120, opensIn: .seconds(2)),
    ]
    static var sources: [String] { (Array(clips.keys) + Array(liveClips.keys)).sorted() }
    private static let allClips = Dictionary(
        uniqueKeysWithValues: clips.map { ("/w/" + $0.key, $0.value) } + liveClips.map { ($0.key, $0.value) })

    mutating func take(_ action: WalkAction) {
        if case .layout(let layout) = action { return apply(layout) }
        guard world != nil else { return }
        let isBetween = isDrawn
        isDrawn = false
        if isBetween { world!.act { wall, now in _ = wall.advance(at: now) } }
        switch action {
        case .layout: break
        case .command(let words): command(words)
        case .key(let name):
            guard let press = KeyPress(name: name),
                let command = world!.wall.keys.change(for: press.key, press.modifiers, isRepeated: false)
            else { break }
            carryOut(command == .program(.escape) ? .window(.escape) : command, on: nil)
        case .pointer(let kind, let x, let y): point(kind, x, y)
        case .elapse(let milliseconds):
            world!.run(for: .milliseconds(Int64(milliseconds)))
            world!.wall.expectOneInstant(at: world!.now)
        case .shell(let kind, let number): shell(kind, number)
        }
        if isBetween { world!.act { wall, now in wall.player.note(.presented, at: now) } }
        look()
    }

    private mutating func apply(_ text: PropertyValue) {
        let reading = LayoutReader.read(JSONWriter.bytes(of: text), path: "/w/wall.json")
        guard case .layout(let layout) = reading else {
            layoutsRefused += 1
            return
        }
        layoutsTaken += 1
        let pipelines = if case .count(let count) = layout.pipelines { min(count, 8) } else { 4 }
        if world == nil {
            world = Simulation(layout, clips: Self.allClips, pipelines: pipelines)
            world!.decidesAhead = true
        } else {
            world!.apply(layout, pipelines: pipelines)
        }
        look()
    }

    // MARK: commands

    private mutating func carryOut(_ command: Change, on tile: TileID?) {
        world!.act { wall, now in
            if wall.carryOut(command, on: tile, at: now) { commandsDone += 1 }
        }
    }

    private mutating func command(_ words: [PropertyValue]) {
        var words = words[...]
        var tile: TileID?
        var scope = Change.Scope.group
        if words.first == .text("tile") {
            guard words.count > 2, let named = words[1].asText.flatMap({ world!.wall.tile(named: $0) }) else { return }
            (tile, words) = (named, words.dropFirst(2))
            if words.first == .text("alone") { (scope, words) = (.tileAlone, words.dropFirst()) }
        }
        guard let name = words.popFirst()?.asText else { return }
        switch name {
        case "get_property":
            if let name = words.first?.asText { _ = read(name, of: tile) }
            return
        case "set_property":
            guard words.count > 1, let name = words.first?.asText else { return }
            return set(name, to: words[words.startIndex + 1], of: tile, scope)
        default: break
        }
        guard let change = try? CommandTable.change(name, Array(words)) else { return }
        switch change {
        case .load(let source, let loading):
            guard let source = SourceName.resolved(source, besideLayout: "/w/wall.json") else { return }
            let items = [Item(source: source)]
            if world!.wall.focus == nil, tile == nil {
                return world!.act { wall, now in wall.addTiles(playing: [items], at: now) }
            }
            carryOut(loading.change(items), on: tile)
        case .addSubtitles(let file, let selecting): carryOut(.subtitles(.add(file, selecting)), on: tile)
        case .program(.press(let name)): take(.key(name))
        case .program(.escape): carryOut(.window(.escape), on: nil)
        case .program: break
        default: carryOut(change.scoped(scope), on: tile)
        }
    }

    private func path(_ name: String, of tile: TileID?) -> (name: String, tile: TileID?, group: String?)? {
        let parts = name.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard tile == nil, parts.count == 3 else { return (name, tile, nil) }
        if parts[0] == "groups" { return (parts[2], nil, parts[1]) }
        guard parts[0] == "tiles", let named = world!.wall.tile(named: parts[1]) else { return nil }
        return (parts[2], named, nil)
    }

    private func read(_ name: String, of tile: TileID?) -> PropertyValue? {
        guard let place = path(name, of: tile) else { return nil }
        if let group = place.group {
            return try? world!.wall.property(place.name, ofGroup: group, at: world!.now).get()
        }
        return try? world!.wall.property(place.name, of: place.tile, at: world!.now).get()
    }

    private mutating func set(_ name: String, to value: PropertyValue, of tile: TileID?, _ scope: Change.Scope) {
        guard let place = path(name, of: tile) else { return }
        world!.act { wall, now in
            if let group = place.group {
                _ = wall.set(place.name, to: value, ofGroup: group, at: now)
            } else {
                _ = wall.set(place.name, to: value, of: place.tile, alone: scope, at: now)
            }
        }
    }

    // MARK: pointer and shell

    private mutating func point(_ kind: WalkAction.Pointer, _ x: Int, _ y: Int) {
        let point = Point(x, y)
        let command: Change =
            switch kind {
            case .click: .click(point)
            case .doubleClick: .doubleClick(point)
            case .tap: .tap(point)
            case .doubleTap: .doubleTap(point)
            case .began: .scrub(.began(at: point))
            case .upright: .scrub(.began(at: point, .upright))
            case .moved: .scrub(.moved(by: x - 300, down: y - 200))
            case .ended: .scrub(.ended)
            case .wheel: .magnify(.steps(Double(x % 7 - 3)), at: point)
            }
        carryOut(command, on: nil)
    }

    private mutating func shell(_ kind: WalkAction.Shell, _ number: Int) {
        let posters = world!.takePosterOrders()
        world!.act { wall, now in
            switch kind {
            case .resize: wall.player.note(.resized(to: Size(1 + number * 97, 1 + number * 53)), at: now)
            case .suspend: wall.player.note(.restBegan, at: now)
            case .resume: wall.player.note(.restEnded, at: now)
            case .noFrames: wall.player.note(.frames(.none), at: now)
            case .frames: wall.player.note(.frames(.all), at: now)
            case .showOnly:
                wall.player.note(
                    .pictureInPictureShows(number % 3 == 0 ? nil : wall.tile(named: WalkLayouts.tileNames[number % 6])),
                    at: now)
            case .warmHidden: wall.player.note(.wallReturns, at: now)
            case .pipelines: wall.player.note(.pipelines(1 + number % 4), at: now)
            case .offerTakes: wall.takesCanBeRecorded(isOffered: number % 2 == 0)
            case .monitored:
                wall.player.note(.monitored(number % 2 == 0 ? .closed : .heard(after: .milliseconds(20))), at: now)
            case .fileChanged:
                let names = WalkWorld.clips.keys.sorted()
                wall.fileChanged("/w/" + names[number % names.count], at: now)
            case .sounds:
                var conditions: [SoundID: SoundCondition] = [:]
                for tile in wall.tiles.playing {
                    let sound = wall.tiles[tile].sound
                    conditions[sound] =
                        [
                            .unknown, .sounding(tracks: 2), .noTrack(tracks: 1), .soundless,
                            .failed(source: "/w/film.mp4", SourceTrouble(.damaged, "no sound")),
                        ][(number + sound.number) % 5]
                }
                wall.player.note(.sounds(conditions), at: now)
            case .figures: wall.take([nil], at: now)
            case .recordingEnded: for number in 0..<4 { wall.recordingHasEnded(number, at: now) }
            case .posters:
                for order in posters {
                    wall.player.note(
                        .poster(.success(FakeFrame(clip: order.location, number: 0).frame), for: order), at: now)
                }
            case .postersFail:
                let trouble = SourceTrouble(.missing, "no such file")
                for order in posters { wall.player.note(.poster(.failure(trouble), for: order), at: now) }
            case .breakOff, .drawn: break
            }
        }
        switch kind {
        case .breakOff:
            let names = Self.allClips.keys.sorted()
            world!.breakOff(names[number % names.count], SourceTrouble(.damaged, "damaged"))
        case .drawn: isDrawn = true
        default: break
        }
    }

    // MARK: invariants

    /// Reads all that other parts of the program read of a wall at any time.
    private func look() {
        let wall = world!.wall, now = world!.now
        precondition(world!.mostLeases <= 64)
        world!.expectSources()
        _ = wall.soundScene(at: now)
        _ = wall.property("wall", at: now)
        let outlook = wall.outlook(at: now)
        _ = (
            wall.changesByHand, wall.layoutText, outlook.files, outlook.wordsOnLaterIterations, outlook.outlook
        )
        _ = (wall.player.snapshot(at: now).unsettled(), outlook.isBarren, wall.health, outlook.isMoving)
        for tile in wall.tiles.order {
            _ = (wall.layout(of: tile), wall.snapshot(at: now).shape(of: tile), wall.whyUnheard(tile))
        }
        wall.expectSound()
        precondition(wall.missCount == 0, "something looked up a tile, feed or group that is gone")
    }
}

extension Wall {
    /// Traps if a tile of a paused group keeps a frame in the place of one that was left out, or does not show the due
    /// frame that it holds.
    func expectOneInstant(at now: Time) {
        for id in feeds.ids where feeds[id].hasSeat && !feeds[id].isLive && feeds[id].phase == .playing {
            let feed = feeds[id], playback = player.transport.context(of: feed, at: now)
            guard !playback.isRunning, playback.group.phase == .going, clocks.scrub == nil else { continue }
            precondition(!feed.slots.leavesOut(playback.dueTime), "a frame was left out in a pause")
        }
    }

    /// Traps unless each identity that a part of the wall keeps exists.
    func expectSound() {
        for feed in feeds.ids {
            precondition(clocks.ids.contains(feeds[feed].group), "a feed follows a group that is gone")
            precondition(feeds[feed].viewers.allSatisfy(tiles.contains), "a feed has a tile that is gone")
        }
        for tile in tiles.order + tiles.members + tiles.watching {
            precondition(feeds.contains(tiles[tile].feed), "a tile has a feed that is gone")
            let comparison = tiles[tile].watch
            precondition(comparison.map { $0.members.allSatisfy(tiles.contains) } ?? true, "a compared tile is gone")
        }
        precondition(focus.map(tiles.contains) ?? true, "the focus is on a tile that is gone")
    }
}
