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
    /// Offsets of the others, in their order; 0 if not given.
    private(set) var offsets: [Time] = []
    private(set) var outputs: [Output] = []
    private(set) var start = Time.zero
    /// Length to measure; nil if it reaches to the reference's end.
    private(set) var length: Time?
    private(set) var extra = FilmComparison.Extra.none
    private(set) var colours = FilmComparison.Colours.asMeant
    private(set) var deinterlacing = Deinterlacing.off
    public private(set) var wantsHelp = false

    public static let specs = [
        OptionSpec(
            name: "output", value: "FILE", help: "or -o FILE: .html, .csv or .json; may stand several times"),
        OptionSpec(
            name: "offset", value: "TIME", help: "how far ahead of the reference an OTHER is (-: behind); one for each"),
        OptionSpec(name: "at", value: "TIME", help: "begin there in the reference: seconds, 1:23.5 or 1:02:03"),
        OptionSpec(name: "for", value: "TIME", help: "how long (to the reference's end)"),
        OptionSpec(name: "vmaf", value: nil, help: "VMAF too, where FFmpeg's libraries have it"),
        OptionSpec(
            name: "as-coded", value: nil,
            help: "compare code values, whatever colours they mean: HDR with SDR too, and no matrix is converted"),
        OptionSpec(name: "deinterlace", value: nil, help: "frames that are marked as interlaced, by bwdif"),
        OptionSpec(name: "help", value: nil, help: "this text"),
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        var reader = Arguments(arguments.map { $0 == "-o" ? "--output" : $0 }, specs: Self.specs)
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): films.append(text)
            case .option(let name, let value): try take(name, value)
            }
        }
        if wantsHelp { return }
        guard films.count > 1 else {
            throw UsageMistake(
                films.isEmpty
                    ? "a reference and what to measure beside it are missing"
                    : "what to measure beside \(films[0]) is missing: the first film is the reference")
        }
        guard case .media = try WallContent(films) else { throw UsageMistake("films are measured, not layouts") }
        guard offsets.count < films.count else {
            throw UsageMistake(
                "--offset is given \(offsets.count) times, the others beside the reference are \(films.count - 1)")
        }
        offsets += Array(repeating: .zero, count: films.count - 1 - offsets.count)
    }

    private mutating func take(_ name: String, _ value: String) throws(UsageMistake) {
        switch name {
        case "output": outputs.append(Output(file: value, format: try format(of: value)))
        case "offset": offsets.append(try Values.offset(value))
        case "at": start = try Values.time(value, "--at")
        case "for": length = try Values.positiveTime(value, "--for")
        case "vmaf": extra = .vmaf
        case "as-coded": colours = .asCoded
        case "deinterlace": deinterlacing = .marked
        case "help": wantsHelp = true
        default: preconditionFailure("--\(name) is declared and not read")
        }
    }

    private func format(of file: String) throws(UsageMistake) -> Format {
        let name = file.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, let format = parts.last.flatMap({ Format(rawValue: $0.lowercased()) }) { return format }
        throw UsageMistake("-o \(file): the extension chooses the format; .html, .csv or .json would be right")
    }

    /// Throws if an output is one of the measured files.
    func checkOutputs() throws(UsageMistake) {
        let played = PlayedFiles(Layout.ofMedia(films), .media(films))
        for output in outputs { try played.check(output.file, "-o") }
    }
}
