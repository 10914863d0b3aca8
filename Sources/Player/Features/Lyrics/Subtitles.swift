import Base
import Commands
import Layout
import Lyrics
import Opened
import Scene

/// Subtitles over films: those in a film, in a file beside it, or in a file that a user adds. They are drawn as lyrics
/// are, and take their place.
struct Subtitles: Feature {
    /// Files that users have added, by tile.
    private var added: [TileID: [Added]] = [:]

    /// A file, and the source to which it belongs.
    typealias Added = (file: String, source: String)

    /// Most files that a tile keeps.
    private static let mostAdded = 100

    func complete(_ view: inout View, playing run: RunID?, _ snapshot: Snapshot) {
        guard snapshot.tiles[view.tile].layout.subtitles != .off, let report = report(on: view.tile, snapshot) else {
            return
        }
        view.lyrics = report.view
    }

    /// Returns the subtitles of what a tile plays. nil while it plays nothing that can have any.
    func report(on tile: TileID, _ snapshot: Snapshot) -> SubtitlesReport? {
        guard snapshot.tiles[tile].watch == nil,
            let moment = snapshot.lyricsMoment(of: tile), moment.facts?.kind == .video
        else { return nil }
        return SubtitlesReport(
            choice: snapshot.tiles[tile].layout.subtitles, added: added[tile] ?? [], moment: moment, snapshot: snapshot)
    }

    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        guard case .subtitles(let change) = command else { return nil }
        guard let tile else { return .refused() }
        if snapshot.tiles[tile].watch != nil { return .refused(because: "a tile that compares shows no subtitles") }
        if case .automatic = change { return choose(.automatic, of: tile, snapshot) }
        if case .number(nil) = change { return choose(.off, of: tile, snapshot) }
        guard let report = report(on: tile, snapshot) else { return .refused(because: "no film is on the screen") }
        switch change {
        case .next(let count):
            guard !report.list.isEmpty else { return .refused("there are no subtitles") }
            let places = report.list.count + 1, place = report.shown.map { $0 + 1 } ?? 0
            let next = ((place + count) % places + places) % places
            return choose(next == 0 ? .off : report.choice(ofPlace: next - 1), of: tile, snapshot)
        case .number(let number?):
            guard report.list.indices.contains(number - 1) else { return .refused(because: "there are no subtitles") }
            return choose(report.choice(ofPlace: number - 1), of: tile, snapshot)
        case .add(let file, let selecting):
            var files = added[tile] ?? []
            let new = (file: file, source: report.moment.source)
            if !files.contains(where: { $0 == new }) { files.append(new) }
            added[tile] = Array(files.suffix(Self.mostAdded))
            return selecting == .shown ? choose(.file(file), of: tile, snapshot) : .done()
        case .automatic, .number(nil): return nil
        }
    }

    private func choose(_ choice: SubtitleChoice, of tile: TileID, _ snapshot: Snapshot) -> FeatureAnswer {
        var chosen = report(on: tile, snapshot)
        chosen?.choice = choice
        return .done(
            .changeLayout(of: tile) { $0.subtitles = choice },
            .notice(chosen?.words ?? (choice == .off ? "no subtitles" : "subtitles")))
    }

    // MARK: properties

    static let tileProperties: [TileProperty] = [
        Property(
            "sid", .tile, takes: .other("a number of subtitles, from 1, auto, or no"),
            "the subtitles that are shown, from 1; false: none", idle: .value(.flag(false)),
            cycle: { isUp in .subtitles(.next(by: isUp ? 1 : -1)) },
            get: { $0.subtitles?.shown.map { .integer($0 + 1) } ?? .flag(false) },
            set: { given in
                given.track("subtitle", automatic: .subtitles(.automatic), among: { $0.subtitles?.list.count }) {
                    .subtitles(.number($0))
                }
            })
    ]
}

extension PropertyReader<TileID> {
    fileprivate var subtitles: SubtitlesReport? { features[Subtitles.self].report(on: owner, snapshot) }

    /// The subtitles of the tile's film, as entries of `track-list`.
    var subtitleTracks: [PropertyValue] {
        let report = subtitles
        return (report?.list ?? []).enumerated().map { place, track in
            let entry: PropertyValue = [
                "id": .integer(place + 1), "type": .text("sub"), "title": .textOrNull(track.title),
                "lang": .textOrNull(track.language), "selected": .flag(report?.shown == place),
                "codec": .text(track.codec), "external": .flag(track.file != nil),
                "external-filename": .textOrNull(track.file.map { SourceName.withoutSecrets($0) }),
            ]
            return entry.withoutNulls
        }
    }
}

/// The subtitles of what a tile plays, and those that it shows.
struct SubtitlesReport {
    var choice: SubtitleChoice
    let moment: Snapshot.LyricsMoment
    /// Subtitles in the film, in files beside it, and in files that were added.
    let list: [SubtitleTrack]
    private let snapshot: Snapshot

    init(choice: SubtitleChoice, added: [Subtitles.Added], moment: Snapshot.LyricsMoment, snapshot: Snapshot) {
        (self.choice, self.moment, self.snapshot) = (choice, moment, snapshot)
        var list = moment.facts?.subtitles ?? []
        var files = added.filter { $0.source == moment.source }.map(\.file)
        // A file that the layout names belongs to all films of the tile.
        if let file = choice.file, !added.contains(where: { $0.file == file }) { files.append(file) }
        for file in files where !list.contains(where: { $0.file == file }) {
            let name = SourceName.fileName(of: file)
            list.append(SubtitleTrack(title: name, codec: String(name.lowercased().suffix(3)), file: file))
        }
        self.list = list
    }

    /// Index of the subtitles that are shown; nil if none are.
    var shown: Int? {
        switch choice {
        case .off: nil
        case .automatic:
            list.firstIndex { $0.file != nil } ?? list.firstIndex { $0.kind == .text } ?? (list.isEmpty ? nil : 0)
        case .number(let number): list.indices.contains(number - 1) ? number - 1 : nil
        case .file(let path): list.firstIndex { $0.file == path }
        }
    }

    /// Source of the subtitles that are shown. A number that the film does not have is reported when it is read.
    var source: LyricsSource? {
        if case .number(let number) = choice, !list.indices.contains(number - 1) {
            return .track(number, of: moment.source)
        }
        return shown.map { list[$0].file.map(LyricsSource.file) ?? .track($0 + 1, of: moment.source) }
    }

    /// nil if none are shown. The style and the place of the item's lyrics are theirs, too.
    var view: LyricsView? {
        guard let source else { return nil }
        var layout = LyricsLayout.subtitles
        if case .shown(let stated) = moment.look.lyrics { layout = stated }
        layout.offset = .zero
        return snapshot.lyricsView(of: source, layout, at: moment)
    }

    /// Returns the choice of the subtitles at a place in the list. Those that were added have no lasting number.
    func choice(ofPlace place: Int) -> SubtitleChoice {
        let lasting = moment.facts?.subtitles.count ?? 0
        if place >= lasting, let file = list[place].file { return .file(file) }
        return .number(place + 1)
    }

    /// Number, language, title and codec of the subtitles that are shown.
    var words: String {
        guard let shown else { return choice == .off ? "no subtitles" : "there are no such subtitles" }
        let track = list[shown]
        let about = [track.language, track.title ?? track.file.map(SourceName.fileName), track.codec]
        return "subtitles \(shown + 1) of \(list.count): \(about.compactMap { $0 }.joined(separator: ", "))"
    }
}
