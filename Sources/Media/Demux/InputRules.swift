import CFFmpeg
import WallCore

/// What FFmpeg may do for a source, by where it is: protocols, demuxers, and the options that hold it to that.
struct InputRules {
    private let name: String
    let origin: NestedOpens.Origin
    let place: SourceTraits.Place
    /// FFmpeg's names of what may be opened, with a comma between: the source's own protocol and what that is built on.
    let protocols: String
    private let formats: String

    init(of location: Location) throws(SourceTrouble) {
        (name, place) = (location.name, location.place)
        switch SourceName.scheme(of: location.name) {
        case nil, "file":
            protocols = "file,http,https,httpproxy,tcp,tls,crypto"
            let folder = realPath(location.path ?? "").map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) }
            origin = .folder(folder.map { $0.isEmpty ? "/" : String($0) } ?? "/")
            formats = Formats.local
            return
        case "http", "https": protocols = "http,https,httpproxy,tcp,tls,crypto"
        case "rtsp": protocols = "rtp,srtp,udp,tcp,http"
        case "rtsps":
            // FFmpeg gives its option for it to no one below.
            throw SourceTrouble(.unsupported, "certificates can't be verified over rtsps")
        case "rtmp": protocols = "rtmp,tcp"
        case "rtmps": protocols = "rtmps,tls,tcp"
        case "udp": protocols = "udp"
        case "rtp": protocols = "rtp,srtp,udp"
        case "srt": protocols = "srt"
        case "tcp": protocols = "tcp"
        case .some(let scheme) where DeviceAddress.isDevice(location.name):
            // It leads nowhere.
            (origin, protocols, formats) = (.network, "none", scheme)
            return
        case .some(let scheme): throw SourceTrouble(.unsupported, "\(scheme):// is not opened")
        }
        origin = .network
        formats = Formats.network
    }

    /// For what is in no file of its own.
    init(leadingNowhere name: String, formats: String) {
        (self.name, self.formats) = (name, formats)
        (place, origin, protocols) = (.file, .network, "none")
    }

    /// For `avformat_open_input`; to be freed.
    var options: OpaquePointer? {
        var options: OpaquePointer?
        av_dict_set(&options, "pattern_type", "none", 0)
        av_dict_set(&options, "protocol_whitelist", protocols, 0)
        av_dict_set(&options, "format_whitelist", formats, 0)
        // Every request of an adaptive stream is an opening of its own, which is looked at.
        av_dict_set(&options, "http_persistent", "0", 0)
        // Until no more segments come is for the deadline to say.
        av_dict_set(&options, "max_reload", "1000", 0)
        av_dict_set(&options, "tls_verify", "1", 0)
        // Of a list's segments and keys `InputOpening` looks at where they are, not at how their names end.
        for option in ["allowed_extensions", "allowed_segment_extensions"] { av_dict_set(&options, option, "ALL", 0) }
        av_dict_set(&options, "extension_picky", "0", 0)
        if let device = DeviceAddress(name) {
            let rate = device.rate ?? (device.kind == .x11grab ? 30 : nil)
            if let rate { av_dict_set_int(&options, "framerate", Int64(rate), 0) }
            if let size = device.size { av_dict_set(&options, "video_size", "\(size.width)x\(size.height)", 0) }
        }
        switch SourceName.scheme(of: name) {
        case "udp", "rtp":
            // What comes while nobody reads is lost, and no reason to end.
            av_dict_set(&options, "overrun_nonfatal", "1", 0)
        case "rtsp":
            if let transport = RTSPAddress(name).transport {
                av_dict_set(&options, "rtsp_transport", transport, 0)
            } else {
                av_dict_set(&options, "rtsp_flags", "prefer_tcp", 0)
            }
        case "rtmp", "rtmps":
            // Its streams say by themselves what they are: more would be waited for in vain.
            av_dict_set(&options, "analyzeduration", "1000000", 0)
        default: break
        }
        return options
    }

    /// Better words for what could not be opened with `status`, where there are any.
    func trouble(withContentOf location: Location, _ status: Int32) -> SourceTrouble? {
        if status == -EIO, SourceName.scheme(of: location.name).map(["https", "rtmps"].contains) == true {
            return SourceTrouble(.unreachable, "opening: no secure connection; is its certificate valid for this name?")
        }
        if let what = portTrouble(SourceName.scheme(of: location.name), status) {
            return SourceTrouble(.unreachable, "opening: \(what)")
        }
        guard place == .file, status == qd_INVALIDDATA || status == -EINVAL else { return nil }
        guard let format = knownFormat(of: location.url) else {
            guard Formats.isPlaylist(location.name) else { return SourceTrouble(.unsupported, "not a media file") }
            return SourceTrouble(.unsupported, "it is a playlist; the films in it, named in \"play\", would be right")
        }
        if format == Formats.mp4 { return .noIndex }
        return Formats.leading[format].map { SourceTrouble(.unsupported, $0) }
    }
}

/// FFmpeg has no code for a port that RTP or SRT can't have.
private func portTrouble(_ scheme: String?, _ status: Int32) -> String? {
    switch scheme {
    case "rtp" where status == -EIO:
        "can't receive on its port and the one after it; does another tile or program receive there?"
    case "srt" where status == qd_UNKNOWN:
        "no connection; where it listens, does another tile or program receive on its port?"
    default: nil
    }
}

/// FFmpeg's demuxers by name, with a comma between.
enum Formats {
    static let local = names { leading[$0] == nil }
    static let network = names { leading[$0] == nil || $0 == "dash" }
    /// Of what a list names: no lists.
    static let listed = names { leading[$0] == nil && $0 != "hls" }

    /// Those that open more by ways of their own, or that are not read by FFmpeg, and what to say of them.
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

    /// As FFmpeg calls MP4 and MOV.
    static let mp4 = "mov,mp4,m4a,3gp,3g2,mj2"

    /// By the ending: what lists files for players, and no film.
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
    /// An MP4 says where its frames are in one place, which a recorder writes last.
    static let noIndex = SourceTrouble(.damaged, "it is cut off, or still being written: its index is missing")
}

/// The container that a file's content, not only its name, looks like.
private func knownFormat(of url: String) -> String? {
    var io: UnsafeMutablePointer<AVIOContext>?
    guard avio_open(&io, url, AVIO_FLAG_READ) >= 0 else { return nil }
    defer { avio_closep(&io) }
    var format: UnsafePointer<AVInputFormat>?
    guard av_probe_input_buffer2(io, &format, url, nil, 0, 0) > AVPROBE_SCORE_MAX / 4 else { return nil }
    return format.map { String(cString: $0.pointee.name) }
}
