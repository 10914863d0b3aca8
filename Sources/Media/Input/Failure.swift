import Base
import CFFmpeg
import Glibc
import Opened

/// Returns FFmpeg's message for an error code.
func words(for code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        av_strerror(code, buffer.baseAddress, buffer.count)
        return String(cString: buffer.baseAddress!)
    }
}

/// Silences FFmpeg's log: errors are reported by their codes.
let silencedLog: Void = av_log_set_level(AV_LOG_QUIET)

extension SourceTrouble {
    /// Describes an FFmpeg error code for a source at `place`. `doing`: the action that failed. Some codes have a message
    /// that is more specific than FFmpeg's.
    init(code: Int32, at place: SourceTraits.Place, doing: String) {
        let usual: Kind = place == .network ? .unreachable : .unreadable
        let (kind, own): (Kind, String?) =
            switch code {
            case qd_EXIT: (.timeout, "no answer in time")
            case -ETIMEDOUT: (.timeout, nil)
            case -ENOENT: (.missing, nil)
            case -EADDRINUSE: (usual, "another tile or program, such as a running wall, receives on this port")
            case qd_HTTP_BAD_REQUEST: (.refused, "the server refused it (400)")
            case qd_HTTP_UNAUTHORIZED: (.refused, "the server wants a user and a password (401)")
            case qd_HTTP_FORBIDDEN: (.refused, "the server refused it (403)")
            case qd_HTTP_NOT_FOUND: (.refused, "the server does not have it (404)")
            case qd_HTTP_OTHER_4XX: (.refused, "the server refused it (4xx)")
            case qd_HTTP_SERVER_ERROR: (.unreachable, "the server failed (5xx)")
            case -ECONNREFUSED, -ECONNRESET, -ECONNABORTED, -EHOSTUNREACH, -ENETUNREACH, -ENETDOWN, -ENOTCONN, -EPIPE:
                (.unreachable, nil)
            case qd_PROTOCOL_NOT_FOUND, qd_DECODER_NOT_FOUND, qd_DEMUXER_NOT_FOUND, qd_STREAM_NOT_FOUND,
                qd_PATCHWELCOME, -ENOSYS:
                (.unsupported, nil)
            case qd_INVALIDDATA, qd_EOF, -EINVAL, -ERANGE: (.damaged, nil)
            default: (usual, nil)
            }
        self.init(kind, "\(doing): \(own ?? words(for: code))")
    }
}
