import CFFmpeg
import Glibc
import Threads
import WallCore

/// Opens what a demuxer asks for, the source itself first, and refuses what may not be opened on its behalf.
///
/// The demuxer holds it without owning it: it lives as long as the `Input`.
final class InputOpening {
    private let rules: InputRules
    private let opens: Opens
    private let deadline: Deadline
    private let connections: ConnectionRule?
    private var nested: NestedOpens
    /// The source itself has been opened.
    private var hasBegun = false
    private(set) var hasNested = false
    private var refusal: SourceTrouble?
    /// So much may be read of the source itself.
    private var measure: (io: UnsafeMutablePointer<AVIOContext>, most: Int)?
    /// Of what is live.
    private var change: (io: UnsafeMutablePointer<AVIOContext>, stream: StreamChange)?
    /// Why what it leads to could not be opened; nil: something came, since.
    private var failure: SourceTrouble?
    /// Why what it led to last could not be opened, if its server is gone.
    private var loss: SourceTrouble?
    /// What it leads to could not be opened since that was asked last.
    private var lack: FilmDamage?
    /// The source is a manifest (DASH), of which FFmpeg opens what it names by ways of its own.
    private(set) var isManifest = false
    /// How many connections its own opening took.
    private var ownConnections = 0

    /// FFmpeg follows no more.
    private static let mostRedirects = 8

    /// What FFmpeg may open by itself.
    enum Opens { case byTheRules, nothing }

    init(_ rules: InputRules, _ deadline: Deadline, opens: Opens = .byTheRules) {
        self.opens = opens
        (self.rules, self.deadline) = (rules, deadline)
        connections = rules.place == .network ? ConnectionRule() : nil
        nested = NestedOpens(rules.origin)
    }

    func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
        context.pointee.interrupt_callback = AVIOInterruptCB(
            callback: mustReturn, opaque: Unmanaged.passUnretained(self).toOpaque())
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.io_open = { context, io, url, flags, options in
            guard let context, let io, let url, let opaque = context.pointee.opaque else { return -EINVAL }
            let opening = Unmanaged<InputOpening>.fromOpaque(opaque).takeUnretainedValue()
            if let options { return opening.open(url, into: io, for: context, flags: flags, options) }
            var none: OpaquePointer?
            defer { av_dict_free(&none) }
            return opening.open(url, into: io, for: context, flags: flags, &none)
        }
    }

    /// Calls FFmpeg so that what it connects to is looked at.
    func working(_ work: () -> Int32) -> Int32 {
        guard let connections else { return work() }
        return connections.applied(to: work)
    }

    func sourceIsOpen() { nested.sourceIsOpen(at: Time(nanoseconds: monotonicNanoseconds())) }

    /// Of an image of which nobody says how large it is: it is read whole before it is decoded. nil: any number.
    func bound(_ context: UnsafeMutablePointer<AVFormatContext>, bytes most: Int?) {
        measure = most.flatMap { most in context.pointee.pb.map { ($0, most) } }
    }

    /// What FFmpeg asks while it blocks.
    fileprivate var isToReturn: Bool {
        if hasReadTooMuch { refusal = refusal ?? measure.map { .tooLargeImage(most: $0.most) } }
        return deadline.isOver || hasReadTooMuch || hasChanged
    }

    var hasReadTooMuch: Bool { measure.map { $0.io.pointee.bytes_read > $0.most } ?? false }

    /// From its next frame on it is watched.
    func watch(_ context: UnsafeMutablePointer<AVFormatContext>, for stream: StreamChange?) {
        change = stream.flatMap { stream in context.pointee.pb.map { ($0, stream) } }
    }

    /// A frame of it was decoded.
    func noteFrame() { change?.stream.noteFrame(at: Time(nanoseconds: monotonicNanoseconds())) }

    /// It goes on with another stream.
    var hasChanged: Bool {
        guard let io = change?.io else { return false }
        let now = Time(nanoseconds: monotonicNanoseconds())
        return change?.stream.note(bytes: io.pointee.bytes_read, at: now) ?? false
    }

    /// A packet came.
    func noteData() { failure = nil }

    /// Since it was asked last.
    func takeLack() -> FilmDamage? {
        defer { lack = nil }
        return lack
    }

    /// Why the last part of a list could not be opened, if its server is gone. Answered once.
    func takeLoss() -> SourceTrouble? {
        defer { loss = nil }
        return loss
    }

    /// Of a manifest that is open, and nothing else is.
    var manifestTrouble: SourceTrouble {
        (connections?.count ?? 0) > ownConnections
            ? SourceTrouble(.missing, "the server has nothing of what it names, or refuses it")
            : SourceTrouble(.missing, "it names nothing that could be opened")
    }

    /// What went wrong with what it leads to, since it was asked last.
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
        guard opens == .byTheRules else { return -EPERM }
        av_dict_set(options, "protocol_whitelist", rules.protocols, 0)
        av_dict_set(options, "tls_verify", "1", 0)
        guard hasBegun else {
            hasBegun = true
            defer { ownConnections = connections?.count ?? 0 }
            return taken(connect(String(cString: url), into: io, for: context, flags: flags, options), io)
        }
        guard flags & AVIO_FLAG_WRITE == 0 else { return -EPERM }
        beginNested(context)
        do throws(NestedOpens.Refusal) {
            let offset = av_dict_get(options.pointee, "offset", nil, 0).map { String(cString: $0.pointee.value) }
            var name = String(cString: url)
            let target = try nested.decide(
                name, offset: offset, at: Time(nanoseconds: monotonicNanoseconds()), resolve: regularFile)
            if case .file(let path) = target {
                name = (name.utf8.starts(with: "crypto".utf8) ? "crypto+file:" : "file:") + path
            }
            let status = taken(connect(name, into: io, for: context, flags: flags, options), io)
            guard status < 0 else {
                loss = nil
                return status
            }
            let trouble = SourceTrouble(code: status, at: rules.place, doing: "opening a part of it")
            lack = FilmDamage(ofParts: trouble)
            if trouble.isOfConnection, status != qd_EXIT { loss = trouble }
            if failure == nil, status != qd_EXIT { failure = trouble }
            return status
        } catch {
            lack = .missingParts
            // A demuxer that asks again and again does so since it could not be opened.
            let isInsistent = error == .repeated || error == .tooMany
            if !isInsistent || failure == nil { refusal = SourceTrouble(error) }
            return error == .notAFile ? -ENOENT : qd_EXIT
        }
    }

    /// Where it is a list, it is looked at before FFmpeg does.
    private func taken(_ status: Int32, _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>) -> Int32 {
        guard status >= 0, let opened = io.pointee else { return status }
        do throws(SourceTrouble) {
            isManifest = try ListContent.take(in: opened) == .manifest || isManifest
            return status
        } catch {
            avio_closep(io)
            refusal = error
            return qd_EXIT
        }
    }

    private func connect(
        _ name: String, into io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>,
        for context: UnsafeMutablePointer<AVFormatContext>, flags: Int32,
        _ options: UnsafeMutablePointer<OpaquePointer?>
    ) -> Int32 {
        // A connection that is lost in the middle is taken up where it was; one that gives nothing then is a loss.
        av_dict_set(options, "reconnect", "1", 0)
        av_dict_set(options, "reconnect_delay_max", "1", 0)
        let before = connections?.count ?? 0
        let status = avio_open2(io, name, flags, &context.pointee.interrupt_callback, options)
        // So FFmpeg's http calls a redirect to anything else.
        if status == -EINVAL, ["http", "https"].contains(SourceName.scheme(of: name)) {
            refusal = SourceTrouble(.refused, "it is redirected to what may not be opened from there")
        }
        // And so it gives up.
        if status == -EIO, let connections, connections.count - before > Self.mostRedirects {
            refusal = SourceTrouble(.refused, "it is redirected again and again")
        }
        return status
    }

    /// What a list names is no list itself: whatever FFmpeg opens from now on is held to that.
    private func beginNested(_ context: UnsafeMutablePointer<AVFormatContext>) {
        guard !hasNested else { return }
        hasNested = true
        av_free(context.pointee.format_whitelist)
        context.pointee.format_whitelist = av_strdup(Formats.listed)
    }
}

extension SourceTrouble {
    /// Its server is gone, or says nothing.
    fileprivate var isOfConnection: Bool { kind == .unreachable || kind == .timeout }
}

extension FilmDamage {
    /// `trouble`: why a part of a list could not be opened.
    fileprivate init(ofParts trouble: SourceTrouble) {
        self = trouble.kind == .refused ? .refusedParts : trouble.isOfConnection ? .unreachableParts : .missingParts
    }
}

extension SourceTrouble {
    fileprivate init(_ refusal: NestedOpens.Refusal) {
        switch refusal {
        case .scheme(let scheme): self.init(.refused, "it names a source that may not be opened from there: \(scheme):")
        case .notAFile: self.init(.missing, "it names a file that is not there")
        case .outsideItsFolder: self.init(.refused, "it names a file outside its folder")
        case .repeated:
            self.init(.damaged, "the same is asked for again and again: it names itself, or what is not there")
        case .tooMany: self.init(.damaged, "it names too many lists")
        }
    }
}

private func mustReturn(_ opaque: UnsafeMutableRawPointer?) -> Int32 {
    guard let opaque else { return 0 }
    return Unmanaged<InputOpening>.fromOpaque(opaque).takeUnretainedValue().isToReturn ? 1 : 0
}

extension SourceTrouble {
    static func tooLargeImage(most: Int) -> SourceTrouble {
        SourceTrouble(.unsupported, "an image of more than \(most >> 20) MiB")
    }
}

/// With all links resolved; nil: it is not there, or no regular file.
private func regularFile(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return realPath(path)
}
