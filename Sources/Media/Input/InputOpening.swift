import Base
import CFFmpeg
import Files
import Glibc
import Opened

/// Opens the source itself and the files that a demuxer requests, and refuses files that may not be opened.
///
/// The demuxer holds an unretained pointer to this object. The `Input` keeps the object as long as the demuxer.
final class InputOpening {
    private let rules: InputRules
    private let deadline: Deadline
    private let connections: ConnectionRule?
    var nested: NestedOpens
    private(set) var hasNested = false
    /// Reason for which the source, or one of its parts, may not be opened.
    private var refusal: SourceTrouble?
    /// Reason why a part could not be opened; cleared by the next packet.
    var failure: SourceTrouble?
    /// Reason why the last part of a list could not be opened, if its server is gone.
    var loss: SourceTrouble?
    /// Damage by parts that could not be opened.
    var lack: FilmDamage?
    var watch = InputWatch()
    /// True if the source is a DASH manifest: FFmpeg opens the files it names without asking.
    private var isManifest = false
    /// Number of connections that opening the source itself took; nil until then.
    private var ownConnections: Int?

    /// Most redirects that FFmpeg follows.
    private static let mostRedirects = 8

    init(_ rules: InputRules, _ deadline: Deadline) {
        (self.rules, self.deadline) = (rules, deadline)
        connections = rules.place == .network ? ConnectionRule() : nil
        nested = NestedOpens(rules.origin)
    }

    /// Returns a context whose demuxer asks this object.
    func makeContext() throws(SourceTrouble) -> UnsafeMutablePointer<AVFormatContext> {
        guard let context = avformat_alloc_context() else {
            throw SourceTrouble(.unreadable, words(for: qd_ENOMEM))
        }
        context.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { opaque in
                opaque.map { Unmanaged<InputOpening>.fromOpaque($0).takeUnretainedValue().isToReturn } ?? false ? 1 : 0
            }, opaque: Unmanaged.passUnretained(self).toOpaque())
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.io_open = { context, io, url, flags, options in
            guard let context, let io, let url, let opaque = context.pointee.opaque else { return -EINVAL }
            let opening = Unmanaged<InputOpening>.fromOpaque(opaque).takeUnretainedValue()
            if let options { return opening.open(url, into: io, for: context, flags: flags, options) }
            var none: OpaquePointer?
            defer { av_dict_free(&none) }
            return opening.open(url, into: io, for: context, flags: flags, &none)
        }
        return context
    }

    /// Calls FFmpeg with the connection rule applied.
    func withConnectionRule(_ work: () -> Int32) -> Int32 { connections?.applied(to: work) ?? work() }

    /// True if FFmpeg's blocking call must return; FFmpeg polls it.
    fileprivate var isToReturn: Bool {
        if watch.hasReadTooMuch, let most = watch.mostBytes { refusal = refusal ?? .tooLargeImage(most: most) }
        return deadline.isOver || watch.hasReadTooMuch || watch.hasChanged
    }

    /// Returns the reason for which the source could not be opened, in words better than FFmpeg's for `status`.
    func trouble(_ status: Int32) -> SourceTrouble {
        if let trouble = takeTrouble() { return trouble }
        if deadline.isOver { return SourceTrouble(code: qd_EXIT, at: rules.place, doing: "opening") }
        if isManifest, [qd_INVALIDDATA, -EINVAL].contains(status) { return manifestTrouble }
        return rules.trouble(withContent: status) ?? SourceTrouble(code: status, at: rules.place, doing: "opening")
    }

    /// Error of a manifest that was opened, while none of its files could be.
    private var manifestTrouble: SourceTrouble {
        (connections?.count ?? 0) > ownConnections ?? 0
            ? SourceTrouble(.missing, "the server has none of the files in the manifest, or refuses them")
            : SourceTrouble(.missing, "none of the files in the manifest could be opened")
    }

    /// Returns the reason why a nested file failed since the last call.
    func takeTrouble() -> SourceTrouble? {
        defer { (refusal, failure) = (nil, nil) }
        guard connections?.takeRefusal() != true else {
            return SourceTrouble(.refused, "it leads to a loopback or link-local address")
        }
        return refusal ?? failure
    }

    private func open(
        _ url: UnsafePointer<CChar>, into io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>,
        for context: UnsafeMutablePointer<AVFormatContext>, flags: Int32,
        _ options: UnsafeMutablePointer<OpaquePointer?>
    ) -> Int32 {
        guard !rules.opensNothing else { return -EPERM }
        av_dict_set(options, "protocol_whitelist", rules.protocols, 0)
        av_dict_set(options, "tls_verify", "1", 0)
        // FFmpeg resumes a lost connection at its position. If the server then sends nothing, the source is lost.
        av_dict_set(options, "reconnect", "1", 0)
        av_dict_set(options, "reconnect_delay_max", "1", 0)
        guard ownConnections != nil else {
            defer { ownConnections = connections?.count ?? 0 }
            return connect(String(cString: url), into: io, for: context, flags: flags, options)
        }
        guard flags & AVIO_FLAG_WRITE == 0 else { return -EPERM }
        beginNested(context)
        do throws(NestedOpens.Refusal) {
            let offset = tag("offset", of: options.pointee)
            var name = String(cString: url)
            let target = try nested.decide(name, offset: offset, at: .now, resolve: { isFile($0) ? realPath($0) : nil })
            if case .file(let path) = target {
                name = (name.utf8.starts(with: "crypto".utf8) ? "crypto+file:" : "file:") + path
            }
            let status = connect(name, into: io, for: context, flags: flags, options)
            if status < 0 { noteFailure(status) } else { loss = nil }
            return status
        } catch {
            lack = .missingParts
            // A demuxer may repeat a request because the file could not be opened.
            let isInsistent = error == .repeated || error == .tooMany
            if !isInsistent || failure == nil { refusal = SourceTrouble(error) }
            return error == .notAFile ? -ENOENT : qd_EXIT
        }
    }

    /// Notes a part that could not be opened, with FFmpeg's status.
    private func noteFailure(_ status: Int32) {
        let trouble = SourceTrouble(code: status, at: rules.place, doing: "opening a part of it")
        let isOfConnection = trouble.kind == .unreachable || trouble.kind == .timeout
        lack = trouble.kind == .refused ? .refusedParts : isOfConnection ? .unreachableParts : .missingParts
        // FFmpeg was told to return.
        if status == qd_EXIT { return }
        if isOfConnection { loss = trouble }
        failure = failure ?? trouble
    }

    /// Opens a file or a connection. Checks a list before FFmpeg reads it.
    private func connect(
        _ name: String, into io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>,
        for context: UnsafeMutablePointer<AVFormatContext>, flags: Int32,
        _ options: UnsafeMutablePointer<OpaquePointer?>
    ) -> Int32 {
        let before = connections?.count ?? 0
        let status = avio_open2(io, name, flags, &context.pointee.interrupt_callback, options)
        // FFmpeg's http reports a redirect to another protocol with this code.
        if status == -EINVAL, ["http", "https"].contains(SourceName.scheme(of: name)) {
            refusal = SourceTrouble(.refused, "it is redirected to an address that is not permitted")
        }
        // FFmpeg reports too many redirects with this code.
        if status == -EIO, let connections, connections.count - before > Self.mostRedirects {
            refusal = SourceTrouble(.refused, "too many redirects")
        }
        guard status >= 0, let opened = io.pointee else { return status }
        do throws(SourceTrouble) {
            isManifest = try ListContent.take(in: opened) || isManifest
            return status
        } catch {
            avio_closep(io)
            refusal = error
            return qd_EXIT
        }
    }

    /// Forbids lists among the files that FFmpeg opens from now on: a list may name no further lists.
    private func beginNested(_ context: UnsafeMutablePointer<AVFormatContext>) {
        guard !hasNested else { return }
        hasNested = true
        av_free(context.pointee.format_whitelist)
        context.pointee.format_whitelist = av_strdup(Formats.listed)
    }
}

/// Watches how much of a source is read.
struct InputWatch {
    /// Input of the source itself while it is open; nil for formats that open their files themselves.
    var io: UnsafeMutablePointer<AVIOContext>?
    /// Limit on the bytes read of an image of unknown size, which is read whole before it is decoded; nil without one.
    var mostBytes: Int?
    /// Watch for another stream in a live source from the next frame on; nil if none.
    var change: StreamChange?

    var hasReadTooMuch: Bool { if let io, let mostBytes { io.pointee.bytes_read > mostBytes } else { false } }

    /// True if another stream has begun.
    var hasChanged: Bool {
        mutating get { io.flatMap { change?.note(bytes: $0.pointee.bytes_read, at: .now) } ?? false }
    }
}

extension SourceTrouble {
    static func tooLargeImage(most: Int) -> SourceTrouble {
        SourceTrouble(.unsupported, "an image of more than \(most >> 20) MiB")
    }

    fileprivate init(_ refusal: NestedOpens.Refusal) {
        switch refusal {
        case .scheme(let scheme): self.init(.refused, "it names a source that may not be opened from there: \(scheme):")
        case .notAFile: self.init(.missing, "it names a file that is not there")
        case .outsideItsFolder: self.init(.refused, "it names a file outside its folder")
        case .repeated:
            self.init(.damaged, "a list names itself, or a missing file, repeatedly")
        case .tooMany: self.init(.damaged, "it names too many lists")
        }
    }
}
