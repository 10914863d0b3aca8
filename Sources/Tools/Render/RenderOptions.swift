import Base
import Console
import Layout
import Media

/// The command line of `render` and of `snapshot`.
public struct RenderOptions {
    public enum Kind { case film, snapshot }

    let kind: Kind
    var content = WallContent.media([])
    var file = ""
    var format = FilmFormat.checksums
    var wall = WallOptions()
    var quality = Quality.exact
    /// nil for one a tile.
    var pipelines: Int?

    // Options of a film; those that are nil were not given.
    private(set) var length: Time?
    /// Length beyond which nothing is rendered.
    private(set) var longest: Time?
    private(set) var rate: FrameRate?
    /// The encoder's constant quality, and its preset.
    private(set) var constantQuality: Int?
    private(set) var preset: String?
    private(set) var hasSound = true

    public static let ofFilm = Option<RenderOptions>.table(
        [
            Option(
                "output", short: "o", .file("FILE"), "or -o FILE: \(FilmFormat.endings); - writes checksums",
                into: \.file),
            Option("for", .length, "length of the film", into: \.length).default("one iteration of the longest tile"),
            Option("fps", .frameRate, "frames a second, as in 30, 23.976 or 30000/1001", into: \.rate)
                .default("the films'"),
        ], shared,
        [
            Option(
                "crf", .whole(0...63, "N"), "the encoder's constant quality; less is better and larger",
                into: \.constantQuality),
            Option("preset", .text("NAME"), "the encoder's preset: medium, veryfast, …", into: \.preset),
            Option(flag: "no-audio", "write video alone", sets: \.hasSound, to: false),
            Option("max-length", .length, "fail if the film is longer", into: \.longest), .help,
        ])
    public static let ofSnapshot = Option<RenderOptions>.table(
        [Option("output", short: "o", .file("FILE.png"), "or -o FILE.png: the file to write", into: \.file)], shared,
        [.help])
    private static let shared = Option<RenderOptions>.table(
        WallOptions.timeOptions.lifted(into: \.wall), WallOptions.soundOptions.lifted(into: \.wall),
        [WallOptions.size("size in pixels", default: "the layout's window, or the shape of the films' grid")].lifted(
            into: \.wall),
        [
            Option(
                "quality", .oneOf(["exact", "auto"]), "exact: every pixel as the decoder specifies", into: \.quality
            ).default("exact"),
            Option(
                "pipelines", .whole(1...64, or: "auto", "N"), "number of decoders; tiles may take turns",
                into: \.pipelines
            ).default("one a tile"),
        ])

    public init(_ arguments: [String], _ kind: Kind) throws(UsageMistake) {
        self.kind = kind
        if arguments.prefix(while: { $0 != "--" }).contains("--keep-hdr") {
            throw UsageMistake(
                "--keep-hdr: films are written as the wall shows them, in SDR: its tiles, texts and figures have 8 bits a "
                    + "colour, and PQ needs 10")
        }
        content = try WallContent(try (kind == .film ? Self.ofFilm : Self.ofSnapshot).read(arguments, into: &self))
        try wall.check(content)
        guard !file.isEmpty else {
            throw UsageMistake("-o \(kind == .film ? "FILE" : "FILE.png") is missing: where to write it")
        }
        format = try format(of: file)
        if let length, let longest, length > longest {
            throw UsageMistake("--for is longer than --max-length allows")
        }
    }

    private func format(of file: String) throws(UsageMistake) -> FilmFormat {
        switch (kind, FilmFormat(file: file)) {
        case (.snapshot, .frame): return .frame
        case (.snapshot, _):
            throw UsageMistake("-o \(file): a snapshot is one frame; a name that ends in .png would be right")
        case (.film, .frame):
            throw UsageMistake("-o \(file): a place for the number is missing, as in %05d.png; snapshot writes one")
        case (.film, let format?): return format
        case (.film, nil):
            throw UsageMistake("-o \(file): the extension chooses the format; \(FilmFormat.endings) would be right")
        }
    }
}
