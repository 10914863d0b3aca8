import Base
import Console
import Layout
import Media

/// The command line of `render` and of `snapshot`. An option that is nil was not given.
public struct RenderOptions {
    public enum Kind { case film, snapshot }

    let kind: Kind
    public var wantsHelp = false
    var content = WallContent.media([])
    var file = ""
    var format = FilmFormat.checksums
    private(set) var extent = FilmExtent()
    var wall = WallOptions()
    var quality = Quality.exact
    private(set) var encoder = EncoderOptions()
    var pipelines: Int?
    var hasSound = true

    private static let shared =
        WallOptions.timeSpecs + WallOptions.soundSpecs + [
            OptionSpec(
                name: "size", value: "WxH", help: "in pixels (the layout's window, or the shape of the films' grid)"),
            OptionSpec(
                name: "quality", value: "exact|auto", help: "exact (the rule): every pixel as the decoder specifies"),
            OptionSpec(
                name: "pipelines", value: "N", help: "number of decoders; tiles may take turns (one a tile)"),
        ]
    public static let filmSpecs =
        [
            OptionSpec(name: "output", value: "FILE", help: "or -o FILE: \(FilmFormat.endings); - writes checksums"),
            OptionSpec(name: "for", value: "TIME", help: "length (one iteration of the longest tile)"),
            OptionSpec(name: "fps", value: "N", help: "frames a second, as in 30, 23.976 or 30000/1001 (the films')"),
        ] + shared + EncoderOptions.specs + [
            OptionSpec(name: "no-audio", value: nil, help: "video alone"),
            OptionSpec(name: "max-length", value: "TIME", help: "fail if it is longer"),
            OptionSpec(name: "help", value: nil, help: "this text"),
        ]
    public static let snapshotSpecs =
        [OptionSpec(name: "output", value: "FILE.png", help: "or -o FILE.png")] + shared + [
            OptionSpec(name: "help", value: nil, help: "this text")
        ]

    public init(_ arguments: [String], _ kind: Kind) throws(UsageMistake) {
        self.kind = kind
        var reader = Arguments(
            arguments.map { $0 == "-o" ? "--output" : $0 },
            specs: kind == .film ? Self.filmSpecs : Self.snapshotSpecs)
        var operands: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): operands.append(text)
            case .option(let name, let value): try take(name, value)
            }
        }
        if wantsHelp { return }
        content = try WallContent(operands)
        try wall.check(content)
        guard !file.isEmpty else {
            throw UsageMistake("-o \(kind == .film ? "FILE" : "FILE.png") is missing: where to write it")
        }
        format = try format(of: file)
        try extent.check()
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

    private mutating func take(_ name: String, _ value: String) throws(UsageMistake) {
        if try wall.take(name, value) == .taken { return }
        if try extent.take(name, value) == .taken { return }
        if try encoder.take(name, value) == .taken { return }
        switch name {
        case "output": file = value
        case "quality": quality = try Values.word(value, "--quality", ["exact", "auto"], Quality.init)
        case "pipelines":
            pipelines = value == "auto" ? nil : try Values.whole(value, 1...64, "--pipelines", or: "auto")
        case "no-audio": hasSound = false
        case "help": wantsHelp = true
        default: preconditionFailure("--\(name) is declared and not read")
        }
    }

    func apply(to layout: inout Layout) throws(UsageMistake) {
        try wall.apply(to: &layout)
        layout.quality = quality
    }
}
