import Base
import Console
import Layout
import Media

/// The command line of `render` and of `snapshot`. An option that is nil was not given.
public struct RenderOptions {
    public enum Kind { case film, snapshot }

    let kind: Kind
    var content = WallContent.media([])
    var file = ""
    var format = FilmFormat.checksums
    /// Length of the film.
    private(set) var length: Time?
    /// Length beyond which nothing is rendered.
    private(set) var longest: Time?
    private(set) var rate: FrameRate?
    var wall = WallOptions()
    var quality = Quality.exact
    /// The encoder's constant quality, and its preset.
    private(set) var constantQuality: Int?
    private(set) var preset: String?
    var pipelines: Int?
    var hasSound = true

    public static func options(_ kind: Kind) -> [Option<RenderOptions>] {
        switch kind {
        case .film: filmOptions
        case .snapshot: snapshotOptions
        }
    }

    private static let filmOptions = Option<RenderOptions>.table(
        [
            Option(
                "output", short: "o", .file("FILE"), "or -o FILE: \(FilmFormat.endings); - writes checksums",
                into: \.file),
            Option("for", .length, "length of the film", default: "one iteration of the longest tile", into: \.length),
            Option(
                "fps", .frameRate, "frames a second, as in 30, 23.976 or 30000/1001", default: "the films'",
                into: \.rate),
        ], shared,
        [
            Option(
                "crf", .whole(0...63, "N"), "the encoder's constant quality; less is better and larger",
                into: \.constantQuality),
            Option("preset", .text("NAME"), "the encoder's preset: medium, veryfast, …", into: \.preset),
            Option(flag: "no-audio", "write video alone", sets: \.hasSound, to: false),
            Option("max-length", .length, "fail if the film is longer", into: \.longest), .help,
        ])
    private static let snapshotOptions = Option<RenderOptions>.table(
        [Option("output", short: "o", .file("FILE.png"), "or -o FILE.png: the file to write", into: \.file)], shared,
        [.help])
    private static let shared = Option<RenderOptions>.table(
        WallOptions.timeOptions.lifted(into: \.wall), WallOptions.soundOptions.lifted(into: \.wall),
        [WallOptions.size("size in pixels", default: "the layout's window, or the shape of the films' grid")].lifted(
            into: \.wall),
        [
            Option(
                "quality", .oneOf(["exact", "auto"]), "exact: every pixel as the decoder specifies", default: "exact",
                into: \.quality),
            Option(
                "pipelines", .whole(1...64, or: "auto", "N"), "number of decoders; tiles may take turns",
                default: "one a tile", into: \.pipelines),
        ])

    public init(_ arguments: [String], _ kind: Kind) throws(UsageMistake) {
        self.kind = kind
        if arguments.prefix(while: { $0 != "--" }).contains("--keep-hdr") {
            throw UsageMistake(
                "--keep-hdr: films are written as the wall shows them, in SDR: its tiles, texts and figures have 8 bits a "
                    + "colour, and PQ needs 10")
        }
        let operands = try Self.options(kind).read(arguments, into: &self)
        content = try WallContent(operands)
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

    func apply(to layout: inout Layout) throws(UsageMistake) {
        try wall.apply(to: &layout)
        layout.quality = quality
    }
}
