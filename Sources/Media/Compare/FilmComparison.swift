import Base
import Decoded
import Measurement
import Threads

/// Measures films against a reference, frame by frame, decoding each film once.
///
/// The thread that calls `run` pairs frames by time. Each film is decoded on a thread of its own, besides the decoder's
/// threads. Pairs are compared on one thread per core. Used by one thread; any thread may call `wake`.
public final class FilmComparison: Sendable {
    public struct Film: Sendable {
        public let source: Source
        public let name: String
        /// Time by which the film is ahead of the reference.
        public let offset: Time
        /// The part of its frames that is measured.
        public let crop: Crop

        public init(_ source: Source, name: String, offset: Time = .zero, crop: Crop = .all) {
            (self.source, self.name, self.offset, self.crop) = (source, name, offset, crop)
        }
    }

    private let films: [Film]
    /// Readers of all films.
    private let readers: [FilmReader]
    private let crew: ComparisonCrew
    private let extra: Extra
    private let colours: Colours
    private let space: ComparisonSpace
    private let isEndRequested: @Sendable () -> Bool

    /// Measurement besides PSNR and SSIM. VMAF takes several times as long as they do.
    public enum Extra: Sendable { case none, vmaf }

    /// Comparison of colours, converted to the reference's, or of bare code values.
    public enum Colours: Sendable { case asMeant, asCoded }

    /// Reason for an early end. `name`: the film's.
    public enum Stop: Error {
        case failed(name: String, SourceTrouble)
        case interrupted
    }

    public struct Measured: Sendable {
        public var films: [MeasuredFilm]
        public var worst: [WorstFrames<FramePair>]
        /// Coding of each film's first compared frame, the reference's first; nil if none was compared.
        public var traits: [CodedTraits?] = []
    }

    /// Compares from `start` in the reference, for `length` or to its end. Keeps the `count` worst frames.
    public init(
        reference: Film, others: [Film], from start: Time, length: Time?, extra: Extra, colours: Colours = .asMeant,
        in space: ComparisonSpace = .coded, deinterlacing: Deinterlacing = .off, keepingWorst count: Int,
        isEndRequested: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        let films = [reference] + others
        self.films = films
        (self.extra, self.colours, self.space, self.isEndRequested) = (extra, colours, space, isEndRequested)
        let threads = max(2, min(16, (2 * coreCount + others.count) / films.count))
        var readers: [FilmReader] = []
        do throws(NoThread) {
            for (index, film) in films.enumerated() {
                let from = index == 0 ? start : max(.zero, start + film.offset)
                readers.append(
                    try FilmReader(
                        film.name, film.source, threads: threads, from: from,
                        until: index == 0 ? length.map { start + $0 } : nil, crop: film.crop,
                        deinterlacing: deinterlacing, in: space))
            }
            crew = try ComparisonCrew(
                others.map { other in
                    let frames = FrameOffset(
                        other.offset, reference.source.facts.frames.rate, other.source.facts.frames.rate)
                    return MeasuredFilm(source: other.name, offset: other.offset, frames: frames?.count)
                }, colours, keepingWorst: count, isEndRequested: isEndRequested)
        } catch {
            for reader in readers { _ = reader.stop(within: Self.limit) }
            throw error
        }
        self.readers = readers
    }

    private static let limit: Int64 = 1_000_000_000

    /// `progress` gets the number of reference frames that were processed so far, and `note` a sentence on the frames of a
    /// film, as soon as it is known: how they are converted, what they lack.
    public func run(progress: (Int) -> Void, note: (String) -> Void) -> Result<Measured, Stop> {
        do throws(Stop) { return .success(try measure(progress, note)) } catch { return .failure(error) }
    }

    private func measure(_ progress: (Int) -> Void, _ note: (String) -> Void) throws(Stop) -> Measured {
        var others = films.indices.dropFirst().map {
            Other(film: $0, pairing: Pairing(offset: films[$0].offset, rule(of: films[$0])))
        }
        var conversions = Conversions(films: films.map(\.name), colours: colours, isMapped: space != .coded)
        var count = 0
        while let frame = try readers[0].next(isEndRequested) {
            crew.addRow(at: frame.start)
            conversions.note(0, frame.codecFrame, besides: frame.codecFrame, note)
            for index in others.indices {
                guard let partner = try partner(of: frame, number: count, &others[index]) else { continue }
                if let trouble = trouble(of: partner, beside: frame.codecFrame) {
                    throw .failed(name: films[index + 1].name, trouble)
                }
                conversions.note(index + 1, partner, besides: frame.codecFrame, note)
            }
            count += 1
            progress(count)
        }
        let findings = readers.map(\.findings)
        for (film, found) in zip(films, findings) {
            if let lack = found.lack { note("\(film.name): \(lack.trouble.what)") }
            if found.damaged > 0 { note("\(film.name): \(found.damaged) of its frames can't be decoded completely") }
        }
        try crew.finish()
        var measured = crew.measured
        for (index, other) in others.enumerated() {
            if let vmaf = other.vmaf { measured.films[index].add(vmaf: vmaf.finish()) }
        }
        measured.traits = findings.map(\.traits)
        return measured
    }

    /// Returns the reason why figures of the two frames would mean nothing; nil if the frames can be compared.
    private func trouble(of codecFrame: CodecFrame, beside reference: CodecFrame) -> SourceTrouble? {
        guard colours == .asMeant else { return nil }
        let (own, others) = (codecFrame.colorimetry, reference.colorimetry)
        if own.isComparable(with: others) { return nil }
        return SourceTrouble(
            .unsupported,
            "its colours are \(own.words), the reference's \(others.words); --space sdr or --space linear converts "
                + "both, and --as-coded compares code values")
    }

    /// A film with the reference's rate is paired by the nearest frame, any other by the frame on screen.
    private func rule(of film: Film) -> PairingRule {
        guard let rate = film.source.facts.frames.rate, let other = films[0].source.facts.frames.rate else {
            return .onScreen
        }
        return rate.isLike(other) ? .nearest : .onScreen
    }

    /// State of one film that is compared.
    private struct Other {
        let film: Int
        var pairing: Pairing<CodecFrame>
        var vmaf: VMAF?
        /// The latest frames of the reference with their partners, as many as a shift is tried over.
        var latest: [FramePair] = []

        /// Adds a pair. Returns the middle one of the latest, with the partners of its neighbours, if all are known.
        mutating func add(_ pair: FramePair?) -> ComparisonCrew.Task.Work? {
            guard let pair else {
                latest = []
                return nil
            }
            latest.append(pair)
            let count = 2 * ShiftedFit.most + 1
            if latest.count > count { latest.removeFirst() }
            return latest.count == count
                ? .shifts(latest[ShiftedFit.most].reference, others: latest.map(\.other)) : nil
        }
    }

    /// Reads on until the partner of a reference frame is known, and queues the pair. Returns nil if there is none.
    private func partner(of frame: TimedCodecFrame, number: Int, _ other: inout Other) throws(Stop) -> CodecFrame? {
        let index = other.film - 1
        while true {
            switch other.pairing.partner(at: frame.start) {
            case .frame(let codecFrame):
                let pair = FramePair(reference: frame.codecFrame, other: codecFrame)
                try crew.add(.init(film: index, work: .figures(frame: number, pair)))
                // The middle one of the latest frames is this many frames back.
                if let shifts = other.add(pair), ShiftedFit.samples(number - ShiftedFit.most) {
                    try crew.add(.init(film: index, work: shifts))
                }
                do throws(SourceTrouble) { try addVMAF(frame.codecFrame, codecFrame, &other) } catch {
                    throw .failed(name: films[other.film].name, error)
                }
                return codecFrame
            case .none:
                _ = other.add(nil)
                return nil
            case .unknown: break
            }
            if let next = try readers[other.film].next(isEndRequested) {
                other.pairing.take(next.codecFrame, start: next.start, length: next.length)
            } else {
                other.pairing.end()
            }
        }
    }

    private func addVMAF(_ reference: CodecFrame, _ codecFrame: CodecFrame, _ other: inout Other) throws(SourceTrouble)
    {
        guard extra == .vmaf else { return }
        let vmaf =
            if let vmaf = other.vmaf { vmaf } else { try VMAF(FrameShape(of: reference).comparable(in: colours)) }
        other.vmaf = vmaf
        try vmaf.add(reference: reference, other: codecFrame)
    }

    /// Makes a thread that waits for a frame call `isEndRequested`.
    public func wake() { for reader in readers { reader.wake() } }

    /// Returns the names of films with threads that did not end in time.
    public func stop() -> [String] {
        crew.stop()
        return zip(films, readers).compactMap { film, reader in
            reader.stop(within: Self.limit) ? nil : film.name
        }
    }
}

/// The conversions that were reported, so that each is reported once.
private struct Conversions {
    let films: [String]
    let colours: FilmComparison.Colours
    let isMapped: Bool
    var reported: [Int: (from: FrameShape, to: FrameShape)] = [:]
    /// Orientation in which frames of each film are stored; none until the film's first frame.
    var orientations: [Int: Orientation] = [:]

    /// Reports a conversion once, and again when it changes.
    mutating func note(
        _ film: Int, _ codecFrame: CodecFrame, besides reference: CodecFrame, _ note: (String) -> Void
    ) {
        let orientation = codecFrame.orientation(toMatch: reference)
        if orientation != orientations[film] {
            orientations[film] = orientation
            if let how = orientation.words {
                note("\(films[film]): its frames are \(how), to lie as the reference's do on screen")
            }
            let own = codecFrame.natural, its = reference.natural
            let ratio = Double(own.width * its.height) / Double(max(1, own.height * its.width))
            if !(0.99...1.01).contains(ratio) {
                note(
                    "\(films[film]): its frames are \(own.width)x\(own.height) on screen, the reference's "
                        + "\(its.width)x\(its.height): they are measured as stretched onto those")
            }
        }
        let from = FrameShape(of: codecFrame).compared(orientation)
        let to = FrameShape(of: reference).comparable(in: colours).reached(from: from)
        if let last = reported[film], last == (from, to) { return }
        guard from != to else { return }
        reported[film] = (from, to)
        if let words = from.words(convertedTo: to, isMapped: isMapped) {
            note("\(films[film]): its frames are \(words.own); they are measured as \(words.target)")
        }
    }
}
