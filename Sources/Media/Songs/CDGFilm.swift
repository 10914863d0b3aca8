import Base

/// A CDG in the form of a film that FFmpeg can read and seek in: a virtual MOV file of raw frames, 30 a second. Each
/// frame is drawn when it is read.
///
/// Frame n shows what the packets up to n/30 s have drawn, so each frame can be read by itself. An earlier frame is
/// drawn from the first packet on, which takes some milliseconds. FFmpeg's own CDG decoder is not used: it makes 300
/// frames a second, and scrolls otherwise than the format requires. Used by one thread at a time.
///
/// For all other code the song is a film as long as its sound, in which every frame is a key frame. `SoundDemuxer`
/// opens the sound alone; sound in a zip is read from memory.
final class CDGFilm: FilmBytes {
    static let container = "cdg"
    static let framesPerSecond: Int64 = 30
    private static let packetsPerFrame = CDGScreen.packetsPerSecond / Int(framesPerSecond)
    /// Packets that are drawn between two looks at the deadline.
    private static let packetsAtOnce = 3000

    private let packets: [UInt8]
    private let packetCount: Int
    private let head: [UInt8]
    private let frameCount: Int64
    private let deadline: Deadline
    /// The screen after the first `drawn` packets.
    private var screen = CDGScreen()
    private var drawn = 0
    /// The frame that was read last.
    private var frame = [UInt8](repeating: 0, count: CDGScreen.frameSize)
    private var frameNumber: Int64 = -1

    /// `length`: length of the sound; nil if there is none and the film ends with its last packet. The last frame lasts
    /// to the end.
    init(_ packets: [UInt8], length: Time?, _ deadline: Deadline) {
        (self.packets, self.deadline) = (packets, deadline)
        packetCount = packets.count / CDGScreen.packetSize
        let own = Time(Int64(packetCount), ofUnits: 1, over: Int64(CDGScreen.packetsPerSecond))
        let length = min(max(length ?? own, CDGFilm.frame), CDGFilm.longest)
        frameCount = (length.ticks + CDGFilm.frame.ticks - 1) / CDGFilm.frame.ticks
        head = CDGFilm.head(frames: frameCount, length: length)
    }

    private static let frame = Time(1, ofUnits: 1, over: framesPerSecond)
    private static let longest = Time.seconds(86_400)

    /// Returns why these bytes are no CDG; nil if they are one.
    static func complaint(about packets: [UInt8]) -> SourceTrouble? {
        let count = packets.count / CDGScreen.packetSize
        let draws = (0..<count).contains { CDGScreen.isInstruction(packets[$0 * CDGScreen.packetSize]) }
        return draws ? nil : SourceTrouble(.damaged, "it has no CDG instructions")
    }

    /// True if the last packet is incomplete.
    static func isCutOff(_ packets: [UInt8]) -> Bool { packets.count % CDGScreen.packetSize != 0 }

    // MARK: bytes

    var count: Int64 { Int64(head.count) + frameCount * Int64(CDGScreen.frameSize) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard offset < count else { return 0 }
        if offset < Int64(head.count) { return copy(head[Int(offset)...], into: buffer) }
        let place = offset - Int64(head.count)
        let number = place / Int64(CDGScreen.frameSize)
        guard number == frameNumber || draw(number) else { return nil }
        return copy(frame[Int(place % Int64(CDGScreen.frameSize))...], into: buffer)
    }

    /// Returns false if the deadline was over.
    private func draw(_ number: Int64) -> Bool {
        let wanted = min(packetCount, Int(number) * CDGFilm.packetsPerFrame + 1)
        var looksDifferent = frameNumber < 0
        if wanted < drawn { (screen, drawn, looksDifferent) = (CDGScreen(), 0, true) }
        frameNumber = -1
        let isDone = packets.withUnsafeBytes { bytes in
            while drawn < wanted {
                if drawn % CDGFilm.packetsAtOnce == 0, deadline.isOver { return false }
                let first = drawn * CDGScreen.packetSize
                let packet = UnsafeRawBufferPointer(rebasing: bytes[first..<(first + CDGScreen.packetSize)])
                if screen.take(packet) { looksDifferent = true }
                drawn += 1
            }
            return true
        }
        guard isDone else { return false }
        if looksDifferent { screen.write(to: &frame) }
        frameNumber = number
        return true
    }

    // MARK: head

    /// Returns all bytes before the first frame: the boxes that FFmpeg reads, and no others.
    private static func head(frames: Int64, length: Time) -> [UInt8] {
        let size = 16 + frames * Int64(CDGScreen.frameSize)
        func head(start: Int) -> [UInt8] {
            movie(frames, length, start: start) + bytes((1, 4)) + Array("mdat".utf8) + bytes((size, 8))
        }
        return head(start: head(start: 0).count)
    }

    private static func movie(_ frames: Int64, _ length: Time, start: Int) -> [UInt8] {
        let (scale, ticks) = (Time.ticksPerSecond, length.ticks)
        let (width, height) = (Int64(CDGScreen.width), Int64(CDGScreen.height))
        let matrix = bytes((0x1_0000, 4), (0, 12), (0x1_0000, 4), (0, 12), (0x4000_0000, 4))
        // All frames but the last have the usual length. The last one lasts to the end.
        let usual = frames > 1 ? bytes((frames - 1, 4), (frame.ticks, 4)) : []
        let times = usual + bytes((1, 4), (ticks - (frames - 1) * frame.ticks, 4))
        let description = bytes(
            (0, 6), (1, 2), (0, 16), (width, 2), (height, 2), (0x48_0000, 4), (0x48_0000, 4), (0, 4), (1, 2), (0, 32),
            (24, 2), (0xFFFF, 2))
        let table =
            full("stsd", bytes((1, 4)) + box("raw ", description))
            + full("stts", bytes((frames > 1 ? 2 : 1, 4)) + times)
            + full("stsc", bytes((1, 4), (1, 4), (frames, 4), (1, 4)))
            + full("stsz", bytes((Int64(CDGScreen.frameSize), 4), (frames, 4)))
            + full("co64", bytes((1, 4), (Int64(start), 8)))
        let media =
            full("mdhd", bytes((0, 16), (scale, 4), (ticks, 8), (0x55C4, 2), (0, 2)), 1)
            + full("hdlr", Array("mhlrvide".utf8) + bytes((0, 13))) + box("minf", box("stbl", table))
        let track =
            full(
                "tkhd",
                bytes((0, 16), (1, 4), (0, 4), (ticks, 8), (0, 16)) + matrix
                    + bytes((width << 16, 4), (height << 16, 4)), 1, flags: 3) + box("mdia", media)
        let header = full(
            "mvhd",
            bytes((0, 16), (scale, 4), (ticks, 8), (0x1_0000, 4), (0x100, 2), (0, 10)) + matrix
                + bytes((0, 24), (2, 4)), 1)
        return box("moov", header + box("trak", track))
    }

    private static func full(_ name: String, _ content: [UInt8], _ version: Int64 = 0, flags: Int64 = 0) -> [UInt8] {
        box(name, bytes((version, 1), (flags, 3)) + content)
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        bytes((Int64(8 + content.count), 4)) + Array(name.utf8) + content
    }

    /// Returns the big-endian bytes of numbers, each with its length.
    private static func bytes(_ numbers: (number: Int64, count: Int)...) -> [UInt8] {
        numbers.flatMap { number, count in
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
        }
    }
}
