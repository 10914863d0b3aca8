import Threads
import WallCore

/// Measures films beside a reference, frame by frame, in one pass that decodes each of them once.
///
/// The thread that runs it pairs frames by time; each film is decoded on a thread of its own (and the decoder's), and
/// the pairs are compared on as many as there are cores. Used by one thread; only `wake` is for any thread.
public final class FilmComparison: Sendable {
    public struct Film: Sendable {
        public let source: Source
        public let name: String
        /// By how much it is ahead of the reference.
        public let offset: Time

        public init(_ source: Source, name: String, offset: Time = .zero) {
            (self.source, self.name, self.offset) = (source, name, offset)
        }
    }

    private let films: [Film]
    private let referenceReader: FilmReader
    private let readers: [FilmReader]
    private let crew: ComparisonCrew
    private let extra: Extra
    private let colours: Colours
    private let isEndAsked: @Sendable () -> Bool

    /// What is measured beside PSNR and SSIM. VMAF takes several times as long as they do.
    public enum Extra: Sendable { case none, vmaf }

    /// Whether what samples mean counts: else code values are compared, whatever they stand for.
    public enum Colours: Sendable { case asMeant, asCoded }

    public enum Outcome: Sendable {
        case complete(Measured)
        case failed(name: String, SourceTrouble)
        case interrupted
    }

    public struct Measured: Sendable {
        public var films: [MeasuredFilm]
        public var worst: [WorstFrames<FramePair>]
        /// How the first frame of each film was stored, the reference's first; nil if none was compared.
        public var traits: [CodedTraits?] = []
    }

    /// What is to be known of the frames that were compared.
    public enum Note {
        /// Frames of the film are scaled or converted, from and to these.
        case converted(film: String, from: String, to: String)
        /// Frames of the film are laid as the reference's: they are turned, or mirrored.
        case laid(film: String, how: String)
        /// Frames of the film have another shape on screen than the reference's, and are stretched onto them.
        case stretched(film: String, from: Size, to: Size)
        case damaged(film: String, frames: Int)
        case lacking(film: String, FilmDamage)
    }

    /// From `start` in the reference, `length` or to its end. So many of the worst frames are kept.
    public init(
        reference: Film, others: [Film], from start: Time, length: Time?, extra: Extra, colours: Colours = .asMeant,
        deinterlacing: Deinterlacing = .off,
        keepingWorst count: Int, isEndAsked: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        (films, self.extra, self.colours, self.isEndAsked) = ([reference] + others, extra, colours, isEndAsked)
        let threads = max(2, min(16, (2 * ComparisonCrew.cores + others.count) / (others.count + 1)))
        referenceReader = try FilmReader(
            reference.source, threads: threads, from: start, until: length.map { start + $0 },
            deinterlacing: deinterlacing)
        var readers: [FilmReader] = []
        do throws(NoThread) {
            for other in others {
                readers.append(
                    try FilmReader(
                        other.source, threads: threads, from: max(.zero, start + other.offset), until: nil,
                        deinterlacing: deinterlacing))
            }
            crew = try ComparisonCrew(
                others.map { other in
                    let frames = FrameOffset(other.offset, reference.source.facts.rate, other.source.facts.rate)
                    return MeasuredFilm(source: other.name, offset: other.offset, frames: frames?.count)
                }, colours, keepingWorst: count)
        } catch {
            for reader in [referenceReader] + readers { _ = reader.stop(within: Self.limit) }
            throw error
        }
        self.readers = readers
    }

    private static let limit: Int64 = 1_000_000_000

    /// `progress` is told how many frames of the reference were handed on.
    public func run(progress: (Int) -> Void, note: (Note) -> Void) -> Outcome {
        var others = films.indices.dropFirst().map {
            Other(film: $0, pairing: Pairing(offset: films[$0].offset, rule(of: films[$0])))
        }
        var conversions = Conversions(films: films.map(\.name), colours)
        var traits: [CodedTraits?] = films.map { _ in nil }
        var count = 0
        reference: while true {
            switch referenceReader.next(isEndAsked) {
            case .frame(let frame):
                crew.addRow(at: frame.start)
                traits[0] = traits[0] ?? frame.codecFrame.codedTraits
                conversions.note(0, frame.codecFrame, besides: frame.codecFrame, note)
                for index in others.indices {
                    let partner = partner(of: frame, number: count, &others[index])
                    switch partner {
                    case .frame(let codecFrame):
                        traits[index + 1] = traits[index + 1] ?? codecFrame.codedTraits
                        if let trouble = trouble(of: codecFrame, beside: frame.codecFrame) {
                            return .failed(name: films[index + 1].name, trouble)
                        }
                        conversions.note(index + 1, codecFrame, besides: frame.codecFrame, note)
                    case .none: break
                    case .ended(let outcome): return outcome
                    }
                }
                count += 1
                progress(count)
            case .end: break reference
            case .failed(let trouble): return .failed(name: films[0].name, trouble)
            case .interrupted: return .interrupted
            }
        }
        for (film, reader) in zip(films, [referenceReader] + readers) {
            if let lack = reader.lack { note(.lacking(film: film.name, lack)) }
            if reader.damaged > 0 { note(.damaged(film: film.name, frames: reader.damaged)) }
        }
        if let end = crew.finish(isEndAsked) { return outcome(of: end) }
        var measured = crew.measured
        for (index, other) in others.enumerated() {
            if let vmaf = other.vmaf { measured.films[index].add(vmaf: vmaf.finish()) }
        }
        measured.traits = traits
        return .complete(measured)
    }

    /// Why figures of the two would say nothing; nil if they can be compared.
    private func trouble(of codecFrame: CodecFrame, beside reference: CodecFrame) -> SourceTrouble? {
        guard colours == .asMeant else { return nil }
        let (own, others) = (codecFrame.colorimetry, reference.colorimetry)
        if own.isComparable(with: others) { return nil }
        return SourceTrouble(
            .unsupported,
            "its colours are \(own.words), the reference's \(others.words), and nothing converts them; --as-coded "
                + "compares code values")
    }

    /// Films of one rate lie frame to frame.
    private func rule(of film: Film) -> PairingRule {
        guard let rate = film.source.facts.rate, let other = films[0].source.facts.rate else { return .onScreen }
        return rate.isLike(other) ? .nearest : .onScreen
    }

    private func outcome(of end: ComparisonCrew.End) -> Outcome {
        switch end {
        case .failed(let film, let trouble): .failed(name: films[film + 1].name, trouble)
        case .interrupted: .interrupted
        }
    }

    /// How far a film is that is compared.
    private struct Other {
        let film: Int
        var pairing: Pairing<CodecFrame>
        var vmaf: VMAF?
    }

    private enum Partner {
        /// They are being compared.
        case frame(CodecFrame)
        case none
        case ended(Outcome)
    }

    /// Reads on until the frame that belongs to one of the reference is known, and has them compared.
    private func partner(of frame: TimedFrame, number: Int, _ other: inout Other) -> Partner {
        let index = other.film - 1
        while true {
            switch other.pairing.partner(at: frame.start) {
            case .frame(let codecFrame):
                let job = ComparisonCrew.Job(
                    film: index, frame: number, reference: frame.codecFrame, other: codecFrame)
                if let end = crew.add(job, isEndAsked) { return .ended(outcome(of: end)) }
                do throws(SourceTrouble) { try addVMAF(frame.codecFrame, codecFrame, &other) } catch {
                    return .ended(.failed(name: films[other.film].name, error))
                }
                return .frame(codecFrame)
            case .none: return .none
            case .unknown: break
            }
            switch readers[index].next(isEndAsked) {
            case .frame(let next): other.pairing.take(next.codecFrame, start: next.start, length: next.length)
            case .end: other.pairing.end()
            case .failed(let trouble): return .ended(.failed(name: films[other.film].name, trouble))
            case .interrupted: return .ended(.interrupted)
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

    /// Whoever waits looks whether it is to end.
    public func wake() {
        referenceReader.wake()
        for reader in readers { reader.wake() }
        crew.wake()
    }

    /// The names of films whose threads are not back in time.
    public func stop() -> [String] {
        crew.stop()
        return zip(films, [referenceReader] + readers).compactMap { film, reader in
            reader.stop(within: Self.limit) ? nil : film.name
        }
    }
}

/// What was said of frames that are made as the reference's are.
private struct Conversions {
    private let films: [String]
    private let colours: FilmComparison.Colours
    private var reported: [Pair?]
    /// How frames of each film are laid; nil until its first one.
    private var laying: [Orientation?]

    private struct Pair: Equatable {
        let from: FrameShape
        let to: FrameShape
    }

    init(films: [String], _ colours: FilmComparison.Colours) {
        (self.films, self.colours) = (films, colours)
        (reported, laying) = (films.map { _ in nil }, films.map { _ in nil })
    }

    /// Says it once, and again where it changes.
    mutating func note(
        _ film: Int, _ codecFrame: CodecFrame, besides reference: CodecFrame, _ note: (FilmComparison.Note) -> Void
    ) {
        let laying = codecFrame.laying(as: reference)
        if laying != self.laying[film] {
            self.laying[film] = laying
            if let how = laying.words { note(.laid(film: films[film], how: how)) }
            if !codecFrame.isShaped(as: reference) {
                note(.stretched(film: films[film], from: codecFrame.natural, to: reference.natural))
            }
        }
        let from = FrameShape(of: codecFrame).compared(laying)
        let pair = Pair(from: from, to: FrameShape(of: reference).comparable(in: colours).reached(from: from))
        guard pair.from != pair.to, reported[film] != pair else { return }
        reported[film] = pair
        let (own, others) = (pair.from.words(beside: pair.to), pair.to.words(beside: pair.from))
        note(.converted(film: films[film], from: own, to: others))
    }
}

extension CodecFrame {
    /// On screen it has the shape of the other one, but for a hundredth.
    fileprivate func isShaped(as other: CodecFrame) -> Bool {
        let mine = natural, its = other.natural
        let ratio = Double(mine.width * its.height) / Double(max(1, mine.height * its.width))
        return (0.99...1.01).contains(ratio)
    }
}
