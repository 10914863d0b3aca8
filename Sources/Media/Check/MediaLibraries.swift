import Base
import CFFmpeg
import CYUV

extension LinkedLibrary {
    /// The libraries of Media, as they are loaded, without those that are loaded at need. libyuv does not state
    /// its version, so the version of its headers is given.
    public static var ofMedia: [LinkedLibrary] {
        let parts: KeyValuePairs = [
            "libavutil": avutil_version(), "libavcodec": avcodec_version(), "libavformat": avformat_version(),
            "libswscale": swscale_version(), "libswresample": swresample_version(),
        ]
        return [LinkedLibrary("FFmpeg", String(cString: av_version_info()))]
            + parts.map { LinkedLibrary($0.key, [$0.value >> 16, $0.value >> 8 & 0xFF, $0.value & 0xFF]) }
            + [LinkedLibrary("libyuv", "\(LIBYUV_VERSION)")]
    }
}
