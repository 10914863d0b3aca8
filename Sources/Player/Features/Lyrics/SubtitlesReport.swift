import Base
import Layout
import Lyrics
import Opened
import Scene

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
