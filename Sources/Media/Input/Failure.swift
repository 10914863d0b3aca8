import Base
import CFFmpeg
import Glibc
import Scene

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
    /// Describes an FFmpeg error code for a source at `place`. `doing`: the action that failed.
    init(code: Int32, at place: SourceTraits.Place, doing: String) {
        self.init(Kind(code: code, at: place), "\(doing): \(ownWords(for: code) ?? words(for: code))")
    }
}

/// Returns a message that is more specific than FFmpeg's; nil if there is none.
private func ownWords(for code: Int32) -> String? {
    switch code {
    case qd_EXIT: "no answer in time"
    case -EADDRINUSE: "another tile or program, such as a running wall, receives on this port"
    case qd_HTTP_BAD_REQUEST: "the server refused it (400)"
    case qd_HTTP_UNAUTHORIZED: "the server wants a user and a password (401)"
    case qd_HTTP_FORBIDDEN: "the server refused it (403)"
    case qd_HTTP_NOT_FOUND: "the server does not have it (404)"
    case qd_HTTP_OTHER_4XX: "the server refused it (4xx)"
    case qd_HTTP_SERVER_ERROR: "the server failed (5xx)"
    default: nil
    }
}

extension SourceTrouble.Kind {
    init(code: Int32, at place: SourceTraits.Place) {
        switch code {
        case qd_EXIT, -ETIMEDOUT:
            self = .timeout
        case -ENOENT:
            self = .missing
        case qd_HTTP_BAD_REQUEST, qd_HTTP_UNAUTHORIZED, qd_HTTP_FORBIDDEN, qd_HTTP_NOT_FOUND, qd_HTTP_OTHER_4XX:
            self = .refused
        case qd_HTTP_SERVER_ERROR, -ECONNREFUSED, -ECONNRESET, -ECONNABORTED, -EHOSTUNREACH, -ENETUNREACH, -ENETDOWN,
            -ENOTCONN, -EPIPE:
            self = .unreachable
        case qd_PROTOCOL_NOT_FOUND, qd_DECODER_NOT_FOUND, qd_DEMUXER_NOT_FOUND, qd_STREAM_NOT_FOUND, qd_PATCHWELCOME,
            -ENOSYS:
            self = .unsupported
        case qd_INVALIDDATA, qd_EOF, -EINVAL, -ERANGE:
            self = .damaged
        default:
            self = place == .network ? .unreachable : .unreadable
        }
    }
}
