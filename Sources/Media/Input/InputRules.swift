import Base
import CFFmpeg
import Files
import Opened

/// Protocols, demuxers and options that FFmpeg may use for a source, by its place.
struct InputRules {
    let name: String
    /// Name for FFmpeg.
    let url: String
    let origin: NestedOpens.Origin
    let place: SourceTraits.Place
    /// Permitted protocols by FFmpeg's names, separated by commas: the source's own protocol and the protocols below
    /// it.
    let protocols: String
    private let formats: String

    init(of location: Location) throws(SourceTrouble) {
        (name, url, place) = (location.name, location.url, location.place)
        guard let scheme = SourceName.scheme(of: location.name), scheme != "file" else {
            protocols = "file," + Self.web + ",crypto"
            let folder = realPath(location.path ?? "").map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) }
            origin = .folder(folder.map { $0.isEmpty ? "/" : String($0) } ?? "/")
            formats = Formats.local
            return
        }
        origin = .network
        if let protocols = Self.protocols[scheme] {
            (self.protocols, formats) = (protocols, Formats.network)
        } else if DeviceAddress.isDevice(location.name) {
            // A device opens nothing further.
            (protocols, formats) = ("none", scheme)
        } else {
            // FFmpeg does not pass its verification option to the TLS layer of rtsps.
            let isUnverified = scheme == "rtsps", other = "\(scheme):// is not a supported protocol"
            throw SourceTrouble(
                .unsupported, isUnverified ? "certificates can't be verified over rtsps" : other)
        }
    }

    private static let web = "http,https,httpproxy,tcp,tls"
    /// The protocols of the network's schemes.
    private static let protocols = [
        "http": web + ",crypto", "https": web + ",crypto", "rtsp": "rtp,srtp,udp,tcp,http", "rtmp": "rtmp,tcp",
        "rtmps": "rtmps,tls,tcp", "udp": "udp", "rtp": "rtp,srtp,udp", "srt": "srt", "tcp": "tcp",
    ]

    /// Rules for bytes that are in no file of their own.
    init(leadingNowhere name: String, formats: String) {
        (self.name, url, self.formats) = (name, name, formats)
        (place, origin, protocols) = (.file, .network, "none")
    }

    /// True if FFmpeg may open no file or address.
    var opensNothing: Bool { protocols == "none" }

    /// The demuxer; nil if FFmpeg finds it by the content.
    var demuxer: UnsafePointer<AVInputFormat>? {
        if place == .device { return DeviceAddress(name).flatMap { av_find_input_format($0.kind.rawValue) } }
        // FFmpeg would take a stream of JPEGs for one image.
        return [".mjpeg", ".mjpg"].contains { name.lowercased().hasSuffix($0) } ? av_find_input_format("mjpeg") : nil
    }

    /// Options for `avformat_open_input`; the caller frees them.
    var options: OpaquePointer? {
        var options: OpaquePointer?
        av_dict_set(&options, "pattern_type", "none", 0)
        av_dict_set(&options, "protocol_whitelist", protocols, 0)
        av_dict_set(&options, "format_whitelist", formats, 0)
        // Each request of an adaptive stream must be a separate opening, which is checked.
        av_dict_set(&options, "http_persistent", "0", 0)
        // The deadline limits the wait for further segments.
        av_dict_set(&options, "max_reload", "1000", 0)
        av_dict_set(&options, "tls_verify", "1", 0)
        // `InputOpening` checks a list's segments and keys by their place, not by the endings of their names.
        for option in ["allowed_extensions", "allowed_segment_extensions"] { av_dict_set(&options, option, "ALL", 0) }
        av_dict_set(&options, "extension_picky", "0", 0)
        if let device = DeviceAddress(name) {
            let rate = device.rate ?? (device.kind == .x11grab ? 30 : nil)
            if let rate { av_dict_set_int(&options, "framerate", Int64(rate), 0) }
            if let size = device.size { av_dict_set(&options, "video_size", "\(size.width)x\(size.height)", 0) }
        }
        switch SourceName.scheme(of: name) {
        case "udp", "rtp":
            // Packets lost between reads do not end the stream.
            av_dict_set(&options, "overrun_nonfatal", "1", 0)
        case "rtsp":
            if let transport = RTSPAddress(name).transport {
                av_dict_set(&options, "rtsp_transport", transport, 0)
            } else {
                av_dict_set(&options, "rtsp_flags", "prefer_tcp", 0)
            }
        case "rtmp", "rtmps":
            // RTMP streams are described at their start: a longer probe would wait in vain.
            av_dict_set(&options, "analyzeduration", "1000000", 0)
        default: break
        }
        return options
    }

    /// Returns a better message for a source that could not be opened with `status`; nil if there is none.
    func trouble(withContent status: Int32) -> SourceTrouble? {
        // FFmpeg has no codes for these.
        let what: String? =
            switch SourceName.scheme(of: name) {
            case "https" where status == -EIO, "rtmps" where status == -EIO:
                "the TLS connection failed; is the server's certificate valid for this host?"
            case "rtp" where status == -EIO:
                "can't receive on its port and the one after it; does another tile, program or running wall receive there?"
            case "srt" where status == qd_UNKNOWN:
                "no connection; where it listens, does another tile, program or running wall receive on its port?"
            default: nil
            }
        if let what { return SourceTrouble(.unreachable, "opening: \(what)") }
        guard place == .file, status == qd_INVALIDDATA || status == -EINVAL else { return nil }
        guard !opensNothing, let format = knownFormat(of: url) else {
            guard Formats.isPlaylist(name) else { return SourceTrouble(.unsupported, "not a media file") }
            return SourceTrouble(.unsupported, "it is a playlist; the films in it, named in \"play\", would be right")
        }
        if format == Formats.mp4 { return .noIndex }
        return Formats.leading[format].map { SourceTrouble(.unsupported, $0) }
    }
}

/// FFmpeg's demuxers by name, separated by commas.
enum Formats {
    static let local = names { leading[$0] == nil }
    static let network = names { leading[$0] == nil || $0 == "dash" }
    /// Demuxers for files that a list names: no lists.
    static let listed = names { leading[$0] == nil && $0 != "hls" }

    /// Demuxers that open further files without asking, or that are not supported, with the message for each.
    static let leading = [
        "cdg": "a CDG is only played from a file whose name ends in .cdg",
        "concat": "a list for FFmpeg; name its films in \"play\"",
        "dash": "DASH is only played from a server",
        "imf": "IMF packages are not supported",
        "mlv": "MLV is not supported",
        "sap": "session announcements are not supported",
        "sdp": "session descriptions are not supported",
        "vobsub": "there is neither video nor sound in it",
        "webm_dash_manifest": "WebM manifests are not supported",
    ]

    /// FFmpeg's name for MP4 and MOV.
    static let mp4 = "mov,mp4,m4a,3gp,3g2,mj2"

    /// Returns true for the endings of playlists.
    static func isPlaylist(_ name: String) -> Bool {
        let ending = name.lowercased().split(separator: ".").last.map(String.init) ?? ""
        return ["m3u", "m3u8", "pls", "xspf", "wpl", "asx"].contains(ending)
    }

    private static func names(_ isWanted: (String) -> Bool) -> String {
        var names: [String] = []
        var state: UnsafeMutableRawPointer?
        while let format = av_demuxer_iterate(&state) {
            let name = String(cString: format.pointee.name)
            if isWanted(name) { names.append(name) }
        }
        return names.joined(separator: ",")
    }
}

extension SourceTrouble {
    /// The index of an MP4 is in one place, and a recorder writes it last.
    static let noIndex = SourceTrouble(.damaged, "it is truncated or still being written: its index is missing")
}

/// Returns the container that a file's content suggests; nil if nothing but its name does.
private func knownFormat(of url: String) -> String? {
    var io: UnsafeMutablePointer<AVIOContext>?
    guard avio_open(&io, url, AVIO_FLAG_READ) >= 0 else { return nil }
    defer { avio_closep(&io) }
    var format: UnsafePointer<AVInputFormat>?
    guard av_probe_input_buffer2(io, &format, url, nil, 0, 0) > AVPROBE_SCORE_MAX / 4 else { return nil }
    return format.map { String(cString: $0.pointee.name) }
}

/// Returns true if a file of this container has a single frame.
func isImage(_ container: String) -> Bool { container == "image2" || container.hasSuffix("_pipe") }
