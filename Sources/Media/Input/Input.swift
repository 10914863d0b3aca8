import Base
import CFFmpeg
import Opened
import Threads

/// An open demuxer, with rules for further files that it may open and a deadline for its calls.
///
/// Used by one thread at a time; closes in deinit, or by `close`.
final class Input {
    let context: UnsafeMutablePointer<AVFormatContext>
    let place: SourceTraits.Place
    let deadline: Deadline
    let name: String
    let opening: InputOpening
    /// Reads bytes that are in no file of their own; nil if FFmpeg opens the source.
    private let reading: FilmReading?
    private var grabbed: GrabbedDisplay?
    private var isResized = false
    private var isClosed = false

    static let openLimit: Int64 = 10_000_000_000
    static let readLimit: Int64 = 10_000_000_000
    /// Interval at which a device is polled for a frame, in nanoseconds.
    private static let deviceRest: Int64 = 3_000_000
    /// Most streams when opened: a film has few streams, a broadcast some dozens.
    private static let mostStreams: UInt32 = 128
    /// Limit for a container that announces streams while it is read.
    private static let mostStreamsLater: UInt32 = 32
    /// Limit for video streams: probing each costs a decoder.
    private static let mostVideoStreams = 12

    /// Opens a source without probing its streams. The caller arms the deadline.
    static func open(_ name: String, _ deadline: Deadline) throws(SourceTrouble) -> Input {
        let location = try Location(name)
        if location.place == .device, !DeviceLibrary.isInstalled {
            throw SourceTrouble(.unsupported, "FFmpeg's libavdevice is not installed")
        }
        return try Input(InputRules(of: location), nil, deadline)
    }

    /// Opens bytes that are in no file of their own; no further file is opened. `name`: only its ending matters.
    /// `formats`: the permitted demuxers.
    static func open(
        _ bytes: any FilmBytes, as name: String, formats: String, _ deadline: Deadline
    ) throws(SourceTrouble) -> Input {
        try Input(InputRules(leadingNowhere: name, formats: formats), bytes, deadline)
    }

    private init(_ rules: InputRules, _ bytes: (any FilmBytes)?, _ deadline: Deadline) throws(SourceTrouble) {
        _ = silencedLog
        let reading = bytes.flatMap { FilmReading($0) }
        guard AddressSpace.hasRoom(for: AddressSpace.source), (reading == nil) == (bytes == nil) else {
            throw SourceTrouble(.unreadable, "no memory to open it")
        }
        let opening = InputOpening(rules, deadline)
        var made: UnsafeMutablePointer<AVFormatContext>? = try opening.makeContext()
        // A blocking read of a camera that sends nothing would never return.
        if rules.place == .device { made!.pointee.flags |= AVFMT_FLAG_NONBLOCK }
        if let reading { made!.pointee.pb = reading.io }
        var options = rules.options
        defer { av_dict_free(&options) }
        let status = opening.withConnectionRule { avformat_open_input(&made, rules.url, rules.demuxer, &options) }
        guard status >= 0, let context = made else { throw opening.trouble(status) }
        (self.context, name, place) = (context, rules.name, rules.place)
        (self.opening, self.reading, self.deadline) = (opening, reading, deadline)
        opening.watch.io = context.pointee.pb
        grabbed = place == .device ? GrabbedDisplay(name) : nil
        qd_name_codecs(context)
        try limitStreams()
        dropUnshownHeads()
    }

    /// Opens the same source again, at its beginning, with the same deadline. nil for bytes that are in no file.
    func openedAgain() throws(SourceTrouble) -> Input? { reading == nil ? try Input.open(name, deadline) : nil }

    deinit { close() }

    /// Closes the container. May take as long as closing a file on a slow disk. No method may be called afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        opening.watch.io = nil
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        UnusedMemory.noteClosed()
    }

    /// Drops unshown chunks from the header that precedes the first frame of an APNG.
    private func dropUnshownHeads() {
        for stream in context.streams {
            let parameters = stream.pointee.codecpar!
            guard isPNG(parameters.pointee.codec_id), let head = parameters.pointee.extradata else { continue }
            let bytes = UnsafeMutableBufferPointer(start: head, count: Int(parameters.pointee.extradata_size))
            parameters.pointee.extradata_size = Int32(PNGChunks.dropUnshown(in: bytes))
        }
    }

    /// Limits the number of streams. Discarded streams are not probed.
    private func limitStreams() throws(SourceTrouble) {
        let count = context.pointee.nb_streams
        guard count <= Input.mostStreams else {
            throw SourceTrouble(.unsupported, "it has \(count) streams; at most \(Input.mostStreams) are supported")
        }
        context.pointee.max_streams = Int32(max(count, Input.mostStreamsLater))
        for stream in context.streams(AVMEDIA_TYPE_VIDEO).dropFirst(Input.mostVideoStreams) {
            stream.pointee.discard = AVDISCARD_ALL
        }
    }

    /// True if a read may wait: for a server, or for the program that extends a list.
    var waits: Bool { place != .file || opening.hasNested }

    var container: String { context.container }

    /// Limits the bytes of an image, which is read whole before it is decoded. If its size is unknown, the limit is
    /// lower: FFmpeg then holds several copies.
    func limitImageBytes(_ most: Int) throws(SourceTrouble) {
        guard isImage(container), let io = context.pointee.pb else { return }
        guard avio_size(io) <= Int64(most) else { throw .tooLargeImage(most: most) }
        opening.watch.mostBytes = avio_size(io) >= 0 ? most : most / 4
    }

    /// Decodes what is needed to know the streams, but no frame of more than `pixels`.
    func findStreams(pixels: Int) throws(SourceTrouble) {
        guard isImage(container) else { return try probe(pixels) }
        try ImageDecoding.inTurn { () throws(SourceTrouble) in try probe(pixels) }
    }

    private func probe(_ pixels: Int) throws(SourceTrouble) {
        let count = Int(context.pointee.nb_streams)
        let status = withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: max(1, count)) { options in
            options.initialize(repeating: nil)
            for index in 0..<count {
                av_dict_set_int(&options[index], "max_pixels", Int64(pixels), 0)
                // An APNG's header states everything needed.
                if codec(of: index) == AV_CODEC_ID_APNG { av_dict_set(&options[index], "codec_whitelist", "none", 0) }
            }
            defer { for index in 0..<count { av_dict_free(&options[index]) } }
            return opening.withConnectionRule { avformat_find_stream_info(context, options.baseAddress) }
        }
        guard status >= 0, !deadline.isOver, !opening.watch.hasReadTooMuch else {
            throw trouble(status < 0 ? status : qd_EXIT, doing: "looking for its streams")
        }
    }

    /// True if the source now sends another stream than the one that was opened.
    var hasChanged: Bool { isResized || opening.watch.hasChanged }

    func read(into packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        var status = opening.withConnectionRule { av_read_frame(context, packet) }
        while place == .device, status == qd_EAGAIN, !deadline.isOver {
            Threads.sleep(until: monotonicNanoseconds() + Input.deviceRest)
            status = opening.withConnectionRule { av_read_frame(context, packet) }
        }
        if grabbed?.hasResized(afterFailure: status < 0) ?? false { isResized = true }
        guard status >= 0 else { return status }
        opening.failure = nil
        return isPNG(codec(of: Int(packet.pointee.stream_index))) ? dropUnshown(in: packet) : status
    }

    enum Reading { case packet, end, trouble(SourceTrouble), skipped }

    /// Fills `packet` with the next packet of any stream that is not discarded. A packet that can't be read is skipped.
    func next(into packet: UnsafeMutablePointer<AVPacket>) -> Reading {
        let status = read(into: packet)
        switch status {
        case 0...: return .packet
        case qd_EOF: return .end
        case qd_INVALIDDATA, qd_EAGAIN: return deadline.isOver ? .trouble(trouble(status, doing: "reading")) : .skipped
        default: return .trouble(trouble(status, doing: "reading"))
        }
    }

    private func codec(of stream: Int) -> AVCodecID {
        context.pointee.streams[stream]!.pointee.codecpar.pointee.codec_id
    }

    private func isPNG(_ codec: AVCodecID) -> Bool { codec == AV_CODEC_ID_PNG || codec == AV_CODEC_ID_APNG }

    private func dropUnshown(in packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        let status = av_packet_make_writable(packet)
        guard status >= 0 else { return status }
        let bytes = UnsafeMutableBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        av_shrink_packet(packet, Int32(PNGChunks.dropUnshown(in: bytes)))
        return 0
    }

    func seek(_ stream: Int32, to timestamp: Int64, flags: Int32) -> Int32 {
        opening.withConnectionRule { av_seek_frame(context, stream, timestamp, flags) }
    }

    /// Returns damage found since the last call.
    func takeLack() -> FilmDamage? {
        let hasBrokenOff = hasBrokenOff
        context.pointee.pb?.pointee.error = 0
        let brokenOff = place == .network ? FilmDamage.unreachableParts : .missingParts
        return opening.lack.take() ?? (hasBrokenOff ? brokenOff : nil)
    }

    /// True if the last read failed for another reason than the end of the file.
    private var hasBrokenOff: Bool { context.pointee.pb.map { $0.pointee.error < 0 } ?? false }

    /// Returns the error if a lost connection ended the demuxer; else nil. Each loss is returned once.
    func takeLoss() -> SourceTrouble? {
        guard place == .network else { return nil }
        if let loss = opening.loss.take() { return loss }
        guard hasBrokenOff else { return nil }
        context.pointee.pb?.pointee.error = 0
        return SourceTrouble(.unreachable, "reading: the connection was lost")
    }

    /// Returns the reason why a nested file could not be opened, or else the error of `code`, or that the deadline is
    /// over.
    func trouble(_ code: Int32, doing: String) -> SourceTrouble {
        if code == qd_ENOMEM, context.pointee.nb_streams >= context.pointee.max_streams {
            let most = context.pointee.max_streams
            return SourceTrouble(.unsupported, "it has more than \(most) streams")
        }
        return opening.takeTrouble()
            ?? SourceTrouble(code: deadline.isOver ? qd_EXIT : code, at: place, doing: doing)
    }
}

extension UnsafeMutablePointer<AVFormatContext> {
    /// FFmpeg's name of the container.
    var container: String { String(cString: pointee.iformat.pointee.name) }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(pointee.nb_streams)).compactMap { pointee.streams[$0] }
    }

    func streams(_ type: AVMediaType) -> [UnsafeMutablePointer<AVStream>] {
        streams.filter { $0.pointee.codecpar.pointee.codec_type == type }
    }
}

/// Chunks of a PNG that are never shown: texts and colour profiles, which FFmpeg's decoder would inflate to any size.
enum PNGChunks {
    private static let unshown = ["tEXt", "zTXt", "iTXt", "iCCP", "eXIf"].map { Array($0.utf8) }
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Bytes of a chunk's length, name and checksum.
    private static let frame = 12

    /// Removes these chunks in place and returns the remaining size. An incomplete chunk stays.
    static func dropUnshown(in bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var next = bytes.starts(with: signature) ? signature.count : 0
        var kept = next
        while bytes.count - next >= frame {
            let length = bytes[next..<next + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - next - frame else { break }
            let chunk = next..<next + frame + length
            if !unshown.contains(where: { $0.elementsEqual(bytes[chunk.lowerBound + 4..<chunk.lowerBound + 8]) }) {
                kept = bytes.move(chunk, to: kept)
            }
            next = chunk.upperBound
        }
        return next == kept ? bytes.count : bytes.move(next..<bytes.count, to: kept)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Moves bytes towards the beginning; returns their new end.
    fileprivate func move(_ range: Range<Int>, to place: Int) -> Int {
        guard place != range.lowerBound, let baseAddress else { return range.upperBound }
        (baseAddress + place).update(from: baseAddress + range.lowerBound, count: range.count)
        return place + range.count
    }
}

func tag(_ key: String, of dictionary: OpaquePointer?) -> String? {
    av_dict_get(dictionary, key, nil, 0).map { String(cString: $0.pointee.value) }
}
