import Base
import CFFmpeg
import Opened

/// Inspects sources to predict their seams. Blocks; belongs to one thread.
public enum Inspector {
    /// Opens a source and reads all packets of a local file. Of any other source, returns only the facts from opening.
    /// `reached` gets the time of each frame as it is read.
    public static func inspect(
        _ location: String, deadline: Deadline = Deadline(), reached: (Time) -> Void = { _ in }
    ) throws(SourceTrouble) -> SourceInspection {
        let source = try Source.open(location, probing: .beginningOnly, deadline: deadline)
        var result = opened(source)
        guard source.facts.isAtHand else { return result }
        guard let video = source.video else {
            result.facts.length = try Source.open(location, deadline: Deadline()).facts.length
            return result
        }
        if source.facts.isCutOff { result.damages.insert(.cutOff) }
        // Frames are generated while reading: there is nothing in them to inspect.
        guard !source.facts.isDrawn else { return result }
        var packets = Packets(of: source, video)
        packets.read(reached)
        result.startsWithKeyFrame = packets.startsWithKey
        result.unevenFrames = packets.uneven
        result.sounds = packets.sounds
        result.damages.formUnion(packets.damages)
        result.facts.length = packets.end ?? result.facts.length
        return result
    }

    /// Returns the facts from opening the source.
    public static func opened(_ source: Source) -> SourceInspection {
        var result = SourceInspection(
            facts: source.facts.opened, codec: source.video?.pointee.codecpar.pointee.identity ?? "",
            startsWithKeyFrame: true, rate: source.facts.frames.rate.map { [$0.numerator, $0.denominator] })
        result.colours = source.facts.frames.colorimetry
        return result
    }

    /// Returns how [start, end) begins and ends. nil for a source without frames, and for a song, which begins black
    /// and may end with any frame.
    public static func look(at source: Source, from start: Time, to end: Time) throws(SourceTrouble)
        -> StretchInspection?
    {
        guard source.facts.kind == .video, !source.facts.isDrawn else { return nil }
        let decoder = try Decoder(for: source, threads: 2)
        let glancer = Glancer(size: Size(64, 36))
        let near = Time.seconds(2)
        var first: [(glance: Glance, start: Time)] = []
        var coded: CodedTraits?
        let reader = FrameReader(source: source, decoder: decoder, from: start, until: end)
        while case .frame(let frame) = try reader.next() {
            let glance = try glancer.glance(at: frame.codecFrame)
            coded = coded ?? frame.codecFrame.codedTraits
            first.append((glance, frame.start))
            if first.count >= 2, !glance.isBlack || frame.start - start > near { break }
        }
        guard let head = first.first else { return nil }
        var last: (glance: Glance, start: Time) = head
        var lit: Time?
        var span = near, isFound = false
        // Frames may be hours apart.
        while !isFound {
            let tail = FrameReader(source: source, decoder: decoder, from: max(start, end - span), until: end)
            while case .frame(let frame) = try tail.next() {
                last = (try glancer.glance(at: frame.codecFrame), frame.start)
                if !last.glance.isBlack { lit = frame.start + frame.length }
            }
            isFound = first.count < 2 || last.start >= first[1].start || span >= end - start
            span = span * 4
        }
        return StretchInspection(
            first: head.glance, second: first.count > 1 ? first[1].glance : nil, last: last.glance,
            lastStart: last.start, firstLit: first.first { !$0.glance.isBlack }.map { max(start, $0.start) },
            lastLit: lit.map { min($0, end) }, coded: coded)
    }
}
