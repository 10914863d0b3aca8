import Base
import Console
import Layout
import Media

/// The command line of `measure`.
public struct MeasureOptions {
    /// Format of the measurements, which a file's extension states.
    enum Format: String, CaseIterable { case html, csv, json }
    struct Output {
        let file: String
        let format: Format
    }

    /// Films to measure. The first is the reference.
    private(set) var films: [String] = []
    /// Offsets of the others, in their order; empty if the timestamps state them.
    private(set) var offsets: [Time] = []
    /// The part of each film that is measured, the reference's first.
    private(set) var crops: [Crop] = []
    private(set) var outputs: [Output] = []
    private(set) var start = Time.zero
    /// Length to measure; nil if it reaches to the reference's end.
    private(set) var length: Time?
    private(set) var extra = FilmComparison.Extra.none
    private(set) var colours = FilmComparison.Colours.asMeant
    private(set) var space = ComparisonSpace.coded
    private(set) var deinterlacing = Deinterlacing.off

    public static let options: [Option<MeasureOptions>] = [
        Option(
            "output", short: "o", .file("FILE"), "or -o FILE: .html, .csv or .json; may be given several times"
        ) { options, file throws(UsageMistake) in
            options.outputs.append(Output(file: file, format: try format(of: file)))
        },
        Option(
            "offset", .offset, "how far ahead of the reference an OTHER is (-: behind); one for each"
        ) {
            $0.offsets.append($1)
        }.default("by timestamps"),
        Option(
            "crop", .crop,
            "part of the frames to measure: 640x360+10+20 in pixels, 0.1,0,0.8,1 in fractions, or none; once for all "
                + "films, or for each, the reference first"
        ) {
            $0.crops.append($1)
        },
        Option("at", .time(), "begin there in the reference: seconds, 1:23.5 or 1:02:03", into: \.start),
        Option("for", .length, "length to measure", into: \.length).default("to the reference's end"),
        Option(flag: "vmaf", "measure VMAF too, where libvmaf is installed", sets: \.extra, to: .vmaf),
        Option(
            flag: "as-coded",
            "compare code values, whatever colours they mean: HDR with SDR too, and no matrix is converted",
            sets: \.colours, to: .asCoded),
        Option(
            "space", .oneOf(["sdr", "linear"]),
            "convert all films first: sdr: tone-mapped to SDR in BT.709; linear: luminance in nits, encoded by PQ",
            into: \.space
        ).default("the reference's code values"),
        Option(
            flag: "deinterlace", "deinterlace marked frames by bwdif", sets: \.deinterlacing, to: .marked),
        .help,
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        films = try Self.options.read(arguments, into: &self)
        guard films.count > 1 else {
            throw UsageMistake(
                films.isEmpty
                    ? "a reference and what to measure beside it are missing"
                    : "what to measure beside \(films[0]) is missing: the first film is the reference")
        }
        if space != .coded, colours == .asCoded {
            throw UsageMistake("--as-coded and --space \(space.rawValue): one of them would be right")
        }
        if space == .linear, extra == .vmaf {
            throw UsageMistake("--vmaf has no meaning for luminance alone; --space sdr would be right")
        }
        guard case .media = try WallContent(films) else { throw UsageMistake("films are measured, not layouts") }
        if !offsets.isEmpty {
            try UsageMistake.refuse(offsets: offsets.count, for: films.count - 1, after: "the reference")
        }
        if crops.count < 2 { crops = Array(repeating: crops.first ?? .all, count: films.count) }
        guard crops.count == films.count else {
            throw UsageMistake(
                "--crop is given \(crops.count) times for \(films.count) films; once for all of them would be right, or "
                    + "once for each, the reference first (none: whole frames)")
        }
    }

    private static func format(of file: String) throws(UsageMistake) -> Format {
        let name = file.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, let format = parts.last.flatMap({ Format(rawValue: $0.lowercased()) }) { return format }
        throw UsageMistake("-o \(file): the extension chooses the format; .html, .csv or .json would be right")
    }

    /// Throws if an output is one of the measured files.
    func checkOutputs() throws(UsageMistake) {
        let played = FilesInUse(Layout.ofMedia(films), .media(films))
        for output in outputs { try played.check(output.file, "-o") }
    }
}
