import CFFmpeg
import Glibc

/// A container that is being written. Owned by one thread at a time.
///
/// One file is written under another name beside its own, and takes its own when it is whole (`finish`).
/// What was not finished is removed in deinit.
final class Muxer {
    let context: UnsafeMutablePointer<AVFormatContext>
    private let format: FilmFormat
    private let file: String
    private let unfinished: String?
    private var state = State.empty

    private enum State { case empty, begun, whole }

    init(_ format: FilmFormat, file: String) throws(FilmTrouble) {
        _ = silencedLog
        let file = format.isOneFile(file) ? try Muxer.replaceable(file) : file
        (self.format, self.file) = (format, file)
        unfinished = format.isOneFile(file) ? Muxer.nameBeside(file) : nil
        var context: UnsafeMutablePointer<AVFormatContext>?
        let url = file == "-" ? "pipe:1" : "file:" + (unfinished ?? file)
        // The image writer takes names, not protocols.
        let isImages = format == .pictureSequence || format == .picture
        let status = avformat_alloc_output_context2(
            &context, nil, format.container, isImages ? unfinished ?? file : url)
        guard status >= 0, let context else {
            throw FilmTrouble("\(file): FFmpeg's libraries here can't write \(format.container)")
        }
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        self.context = context
    }

    deinit {
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 { avio_closep(&context.pointee.pb) }
        avformat_free_context(context)
        if state != .whole, let unfinished { unlink(unfinished) }
    }

    var wantsGlobalHeader: Bool { context.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }

    /// A stream for what `codec` makes.
    func add(_ codec: UnsafeMutablePointer<AVCodecContext>) throws(FilmTrouble) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { throw FilmTrouble(qd_ENOMEM, file) }
        stream.pointee.time_base = codec.pointee.time_base
        stream.pointee.avg_frame_rate = codec.pointee.framerate
        try check(avcodec_parameters_from_context(stream.pointee.codecpar, codec))
        return stream
    }

    /// After all streams were added.
    func begin() throws(FilmTrouble) {
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 {
            try check(avio_open(&context.pointee.pb, context.pointee.url, AVIO_FLAG_WRITE))
        }
        var options: OpaquePointer?
        for (name, value) in format.options { av_dict_set(&options, name, value, 0) }
        defer { av_dict_free(&options) }
        try check(avformat_write_header(context, &options))
        state = .begun
    }

    /// Takes the packet's content.
    func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(FilmTrouble) {
        try check(av_interleaved_write_frame(context, packet))
        if let io = context.pointee.pb { try check(io.pointee.error) }
    }

    /// Writes what is left, and gives the file its name; a former one is replaced.
    func finish() throws(FilmTrouble) {
        try check(av_write_trailer(context))
        if context.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0, let io = context.pointee.pb {
            avio_flush(io)
            try check(io.pointee.error)
            try check(avio_closep(&context.pointee.pb))
        }
        if let unfinished, rename(unfinished, file) != 0 { throw FilmTrouble(-errno, file) }
        state = .whole
    }

    private func check(_ status: Int32) throws(FilmTrouble) {
        if status < 0 { throw FilmTrouble(status, file) }
    }

    /// What a name leads to, links followed, where a film may take its place: a device, a pipe or a socket would be gone.
    private static func replaceable(_ name: String) throws(FilmTrouble) -> String {
        var status = stat()
        guard stat(name, &status) == 0 else { return name }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FilmTrouble(-EISDIR, name)
        default: throw FilmTrouble("\(name): it is no file that could be replaced")
        }
        guard let path = realpath(name, nil) else { throw FilmTrouble(-errno, name) }
        defer { free(path) }
        return String(cString: path)
    }

    private static func nameBeside(_ file: String) -> String {
        let cut = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
        return file[..<cut] + ".\(file[cut...]).\(getpid()).part"
    }
}
