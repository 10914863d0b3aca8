import CFFmpeg
import Files
import Glibc

/// A container that is being written. Owned by one thread at a time.
///
/// A file is written under another name in the same folder, and renamed when it is whole (`finish`). In a sequence,
/// this holds for the file of each frame. An unfinished file is removed in deinit. A growing file has its own name from
/// the start, and its written part stays.
final class Muxer {
    let context: UnsafeMutablePointer<AVFormatContext>
    private let format: FilmFormat
    private let file: String
    /// Temporary name until the file is whole; in a sequence, that of the current frame.
    private var unfinished: String?
    private var frames: Int32 = 0
    private var isOpen = false
    private var hasBegun = false
    private let appearance: Appearance

    enum Appearance {
        case whenWhole
        /// The file can be played at any time, up to its last half second.
        case growing
    }

    init(_ format: FilmFormat, file: String, _ appearance: Appearance = .whenWhole) throws(FilmTrouble) {
        _ = silencedLog
        if let folder = missingFolder(of: file) {
            throw FilmTrouble("-o \(file): there is no folder \(folder); an existing one would be right")
        }
        let isReplaced = format.isOneFile(file) && appearance == .whenWhole
        let file = isReplaced ? try Muxer.replaceable(file) : file
        (self.format, self.file, self.appearance) = (format, file, appearance)
        unfinished = isReplaced ? Muxer.nameBeside(file) : nil
        var context: UnsafeMutablePointer<AVFormatContext>?
        let url = file == "-" ? "pipe:1" : "file:" + (unfinished ?? file)
        // The image writer requires names, not URLs.
        let isImages = format == .frameSequence || format == .frame
        let status = avformat_alloc_output_context2(
            &context, nil, format.traits.container, isImages ? unfinished ?? file : url)
        guard status >= 0, let context else {
            throw FilmTrouble("\(file): FFmpeg's libraries here can't write \(format.traits.container)")
        }
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        if appearance == .growing {
            context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
            context.pointee.max_interleave_delta = Muxer.longestWait
        }
        self.context = context
    }

    /// Longest time that one stream waits for the other, in microseconds.
    private static let longestWait: Int64 = 1_000_000

    deinit {
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
        // Removes a growing file without content.
        if appearance == .growing, isOpen, !hasBegun { unlink(file) }
        guard let unfinished else { return }
        unlink(unfinished)
        UnfinishedFiles.end(unfinished)
    }

    /// Size of what is written.
    var position: Int64 { avio_seek(context.pointee.pb, 0, SEEK_CUR) }

    var wantsGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

    /// Adds a stream for the output of `codec`.
    func add(_ codec: UnsafeMutablePointer<AVCodecContext>) throws(FilmTrouble) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { throw FilmTrouble(qd_ENOMEM, file) }
        stream.pointee.time_base = codec.pointee.time_base
        stream.pointee.avg_frame_rate = codec.pointee.framerate
        try FilmTrouble.check(avcodec_parameters_from_context(stream.pointee.codecpar, codec), file)
        return stream
    }

    /// Opens the file, after all streams were added.
    func open() throws(FilmTrouble) {
        if let unfinished {
            UnfinishedFiles.begin(unfinished)
            try checkOpens(unfinished, .unmade)
        }
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 {
            try FilmTrouble.check(avio_open(&context.pointee.pb, context.pointee.url, AVIO_FLAG_WRITE), file)
        }
        isOpen = true
    }

    /// Writes the header, once: before the first packet, or in `finish`. A film that is abandoned before its first
    /// packet writes nothing. Sets the time bases of the streams.
    func begin() throws(FilmTrouble) {
        if hasBegun { return }
        var options: OpaquePointer?
        for (name, value) in format.traits.options { av_dict_set(&options, name, value, 0) }
        if appearance == .growing { av_dict_set(&options, "cluster_time_limit", "500", 0) }
        defer { av_dict_free(&options) }
        let status = avformat_write_header(context, &options)
        if let io = context.pointee.pb { try checkWritten(io.pointee.error) }
        try FilmTrouble.check(status, file)
        hasBegun = true
    }

    /// Writes a packet and takes ownership of its data.
    func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(FilmTrouble) {
        if format == .frameSequence { try beginFrame() }
        try checkWritten(av_interleaved_write_frame(context, packet))
        if let io = context.pointee.pb { try checkWritten(io.pointee.error) }
        guard format == .frameSequence else { return }
        unfinished.map(UnfinishedFiles.end)
        unfinished = nil
    }

    /// Registers the temporary name that the image writer gives to an unfinished frame.
    private func beginFrame() throws(FilmTrouble) {
        frames += 1
        let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { name in
            let status = av_get_frame_filename(name.baseAddress!, Int32(name.count), file, frames)
            return status < 0 ? nil : String(cString: name.baseAddress!)
        }
        guard let path = name.map({ $0 + ".tmp" }) else { return }
        UnfinishedFiles.begin(path)
        unfinished = path
        try checkOpens(path, .unwritten)
    }

    /// Writes the rest, and gives the file its name; an existing file is replaced.
    func finish() throws(FilmTrouble) {
        try begin()
        try checkWritten(av_write_trailer(context))
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0, let io = context.pointee.pb {
            avio_flush(io)
            try checkWritten(io.pointee.error)
            try checkWritten(avio_closep(&context.pointee.pb))
        }
        if let unfinished {
            try checkWritten(rename(unfinished, file) == 0 ? 0 : -errno)
            UnfinishedFiles.end(unfinished)
        }
        unfinished = nil
    }

    /// FFmpeg's image writer reports every failure to open a file as an input or output error. Opening the file before
    /// that tells the reason.
    private func checkOpens(_ path: String, _ kind: FilmTrouble.Kind) throws(FilmTrouble) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw FilmTrouble(-errno, self.file, kind) }
        close(file)
    }

    private func checkWritten(_ status: Int32) throws(FilmTrouble) { try FilmTrouble.check(status, file, .unwritten) }

    /// Returns the file at `name`, links followed. Refuses devices, pipes and sockets, which would be lost.
    private static func replaceable(_ name: String) throws(FilmTrouble) -> String {
        var status = stat()
        guard stat(name, &status) == 0 else {
            // A film with such a name could only be written under its temporary name.
            if errno == ENAMETOOLONG { throw FilmTrouble(-errno, name) }
            return name
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FilmTrouble("-o \(name): this is a folder; the name of a file would be right")
        default: throw FilmTrouble("\(name): it is not a regular file, and can't be replaced")
        }
        guard let path = realPath(name) else { throw FilmTrouble(-errno, name) }
        return path
    }

    /// Longest name of a file, in bytes.
    private static let longestName = 255

    /// The file's own name is cut if the temporary name would be too long.
    private static func nameBeside(_ file: String) -> String {
        let folder = folder(of: file), end = ".\(getpid()).part"
        var name = String(file.dropFirst(folder.count))
        while 1 + name.utf8.count + end.utf8.count > longestName { name.unicodeScalars.removeLast() }
        return folder + "." + name + end
    }
}
