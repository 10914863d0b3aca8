import Media
import Threads
import WallCore

/// `quadrille check`: the layout's mistakes, and what each source is. Needs no display and no sound.
struct CheckCommand {
    private let options: CheckOptions

    init(_ options: CheckOptions) { self.options = options }

    func run() -> Int32 {
        switch options.input.read() {
        case .unreadable(let text):
            say("quadrille: \(text)")
            return ExitStatus.usage
        case .mistakes(let mistakes, let path):
            for mistake in mistakes { say(mistake.rendered(path: path)) }
            if options.form == .json { print(json(mistakes, path)) }
            return ExitStatus.usage
        case .layout(let layout):
            return check(layout)
        }
    }

    private typealias Finding = Result<SourceFacts, SourceTrouble>

    private func check(_ layout: Layout) -> Int32 {
        var findings: [String: Finding] = [:]
        for source in layout.tiles.flatMap({ $0.play.flatMap { $0.pieces.map(\.source) } })
        where findings[source] == nil {
            do throws(SourceTrouble) {
                findings[source] = .success(try Source.open(source, deadline: Deadline()).facts)
            } catch {
                findings[source] = .failure(error)
            }
        }
        switch options.form {
        case .text: printText(layout, findings)
        case .json: print(json(layout, findings))
        }
        let good = findings.values.count { if case .success = $0 { true } else { false } }
        return good == 0 ? ExitStatus.failed : good < findings.count ? ExitStatus.seams : ExitStatus.done
    }

    // MARK: in words

    private func printText(_ layout: Layout, _ findings: [String: Finding]) {
        for tile in layout.tiles {
            print("\(tile.id)")
            for piece in tile.play.flatMap(\.pieces) {
                switch findings[piece.source] {
                case .success(let facts)?: print("  \(piece.source): \(words(facts))")
                case .failure(let trouble)?:
                    print("  \(piece.source): can't be played: \(trouble.what) (\(trouble.kind.rawValue))")
                case nil: break
                }
            }
        }
    }

    private func words(_ facts: SourceFacts) -> String {
        var parts: [String] = []
        switch facts.kind {
        case .still: parts.append("still image, \(facts.codec), \(facts.natural.width)x\(facts.natural.height)")
        case .sound: parts.append("sound only")
        case .video:
            parts.append("\(facts.codec), \(facts.natural.width)x\(facts.natural.height)")
            if let rate = facts.rate {
                parts.append("\(fixed(Double(rate.numerator) / Double(rate.denominator), 3)) pictures a second")
            }
        }
        if let length = facts.length, facts.kind != .still { parts.append("\(fixed(length.seconds, 3)) s") }
        let tracks = facts.soundTracks.map { track in
            "\(track.codec) \(track.channels) ch" + (track.language.map { " (\($0))" } ?? "")
        }
        if facts.kind != .still {
            parts.append(tracks.isEmpty ? "no sound" : "sound " + tracks.joined(separator: " + "))
        }
        return parts.joined(separator: ", ")
    }

    // MARK: as JSON

    private func json(_ mistakes: [Mistake], _ path: String) -> String {
        let list = mistakes.map { mistake in
            JSONText.object([
                ("line", .number(mistake.line)), ("column", .number(mistake.column)), ("where", .text(mistake.place)),
                ("what", .text(mistake.text)),
            ])
        }
        return JSONText.object([("layout", .text(path)), ("mistakes", .list(list))]).rendered
    }

    private func json(_ layout: Layout, _ findings: [String: Finding]) -> String {
        let tiles = layout.tiles.map { tile in
            JSONText.object([
                ("id", .text(tile.id)),
                (
                    "items",
                    .list(
                        tile.play.flatMap(\.pieces).map { piece in
                            .object([("source", .text(piece.source))] + fields(findings[piece.source]))
                        })
                ),
            ])
        }
        return JSONText.object([("mistakes", .list([])), ("tiles", .list(tiles))]).rendered
    }

    private func fields(_ finding: Finding?) -> [(String, JSONText)] {
        switch finding {
        case .success(let facts)?:
            [
                ("opens", .bool(true)), ("kind", .text("\(facts.kind)")), ("codec", .text(facts.codec)),
                ("container", .text(facts.container)), ("width", .number(facts.natural.width)),
                ("height", .number(facts.natural.height)),
                (
                    "rate",
                    facts.rate.map { .decimal(Double($0.numerator) / Double($0.denominator), places: 6) } ?? .null
                ), ("length", facts.length.map { .decimal($0.seconds, places: 6) } ?? .null),
                ("sound-tracks", .number(facts.soundTracks.count)),
            ]
        case .failure(let trouble)?:
            [("opens", .bool(false)), ("kind", .text(trouble.kind.rawValue)), ("what", .text(trouble.what))]
        case nil: []
        }
    }
}
