import Threads
import WallCore

/// Measures films beside a reference, picture by picture, in one pass that decodes each of them once.
///
/// The thread that runs it pairs pictures by time; each film is decoded on a thread of its own (and the decoder's), and
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
    private let isEndAsked: @Sendable () -> Bool

    /// What is measured beside PSNR and SSIM. VMAF takes several times as long as they do.
    public enum Extra: Sendable { case none, vmaf }

    public enum Outcome: Sendable {
        case complete(Measured)
        case failed(name: String, SourceTrouble)
        case interrupted
    }

    public struct Measured: Sendable {
        public var films: [MeasuredFilm]
        public var worst: [WorstPictures<FramePair>]
    }

    /// What is to be known of the pictures that were compared.
    public enum Note {
        /// Pictures of the film are scaled or converted, from and to these.
        case converted(film: String, from: String, to: String)
        case damaged(film: String, pictures: Int)
    }

    /// From `start` in the reference, `length` or to its end. So many of the worst pictures are kept.
    public init(
        reference: Film, others: [Film], from start: Time, length: Time?, extra: Extra, keepingWorst count: Int,
        isEndAsked: @escaping @Sendable () -> Bool
    ) throws(NoThread) {
        (films, self.extra, self.isEndAsked) = ([reference] + others, extra, isEndAsked)
        let threads = max(2, min(16, (2 * ComparisonCrew.cores + others.count) / (others.count + 1)))
        referenceReader = try FilmReader(
            reference.source, threads: threads, from: start, until: length.map { start + $0 })
        var readers: [FilmReader] = []
        do throws(NoThread) {
            for other in others {
                readers.append(
                    try FilmReader(
                        other.source, threads: threads, from: max(.zero, start + other.offset), until: nil))
            }
            crew = try ComparisonCrew(
                others.map { MeasuredFilm(source: $0.name, offset: $0.offset) }, keepingWorst: count)
        } catch {
            for reader in [referenceReader] + readers { _ = reader.stop(within: Self.limit) }
            throw error
        }
        self.readers = readers
    }

    private static let limit: Int64 = 1_000_000_000

    /// `tell` is told how many pictures of the reference were handed on.
    public func run(tell: (Int) -> Void, note: (Note) -> Void) -> Outcome {
        var pairings = readers.map { _ in Pairing<Frame>(offset: .zero) }
        for index in readers.indices { pairings[index] = Pairing(offset: films[index + 1].offset) }
        var noted: [Conversion?] = films.map { _ in nil }
        var vmafs: [VMAF?] = readers.map { _ in nil }
        var count = 0
        reference: while true {
            let picture: DecodedPicture
            switch referenceReader.next(isEndAsked) {
            case .picture(let next): picture = next
            case .end: break reference
            case .failed(let trouble): return .failed(name: films[0].name, trouble)
            case .interrupted: return .interrupted
            }
            crew.addRow(at: picture.start)
            let shape = FrameShape(of: picture.frame), comparable = shape.comparable
            func noteConversion(of film: Int, from: FrameShape) {
                let conversion = Conversion(from: from, to: comparable)
                guard from != comparable, noted[film] != conversion else { return }
                noted[film] = conversion
                note(.converted(film: films[film].name, from: from.words, to: comparable.words))
            }
            noteConversion(of: 0, from: shape)
            for index in readers.indices {
                switch partner(of: picture.start, &pairings[index], index) {
                case .picture(let frame):
                    noteConversion(of: index + 1, from: FrameShape(of: frame))
                    let job = ComparisonCrew.Job(
                        film: index, picture: count, reference: picture.frame, other: frame)
                    guard crew.add(job, isEndAsked) else { break reference }
                    guard extra == .vmaf else { break }
                    do throws(SourceTrouble) {
                        let vmaf = if let vmaf = vmafs[index] { vmaf } else { try VMAF(comparable) }
                        vmafs[index] = vmaf
                        try vmaf.add(reference: picture.frame, other: frame)
                    } catch {
                        return .failed(name: films[index + 1].name, error)
                    }
                case .none: break
                case .failed(let trouble): return .failed(name: films[index + 1].name, trouble)
                case .interrupted: return .interrupted
                }
            }
            count += 1
            tell(count)
        }
        for (film, reader) in zip(films, [referenceReader] + readers) where reader.damaged > 0 {
            note(.damaged(film: film.name, pictures: reader.damaged))
        }
        switch crew.finish(isEndAsked) {
        case .complete(var measured, let worst):
            for (index, vmaf) in vmafs.enumerated() { if let vmaf { measured[index].add(vmaf: vmaf.finish()) } }
            return .complete(Measured(films: measured, worst: worst))
        case .failed(let film, let trouble): return .failed(name: films[film + 1].name, trouble)
        case .interrupted: return .interrupted
        }
    }

    private struct Conversion: Equatable {
        let from: FrameShape
        let to: FrameShape
    }

    private enum Partner { case picture(Frame), none, failed(SourceTrouble), interrupted }

    /// Reads on until it is known.
    private func partner(
        of instant: Time, _ pairing: inout Pairing<Frame>, _ index: Int
    ) -> Partner {
        while true {
            switch pairing.partner(at: instant) {
            case .picture(let frame): return .picture(frame)
            case .none: return .none
            case .unknown: break
            }
            switch readers[index].next(isEndAsked) {
            case .picture(let picture): pairing.take(picture.frame, start: picture.start, length: picture.length)
            case .end: pairing.end()
            case .failed(let trouble): return .failed(trouble)
            case .interrupted: return .interrupted
            }
        }
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
