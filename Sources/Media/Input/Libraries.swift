import Base
import CFFmpeg
import CYUV
import Glibc

/// Functions of libavfilter for `FilterGraph`. The library is loaded at first use.
///
/// The library loads some thirty others (speech, vision, Vulkan). Linked in, they made every start a third slower and
/// took 11 MiB, though walls hardly ever play at another rate.
typealias FilterLibrary = qd_filters

extension FilterLibrary {
    /// nil if the library is not installed. The first call loads it, which takes some 50 ms. Only the version of the
    /// compiled headers is loaded: structures of another version may differ.
    static let shared: FilterLibrary? = loaded(
        ["libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)"], FilterLibrary(),
        [
            "avfilter_graph_alloc", "avfilter_graph_free", "avfilter_get_by_name", "avfilter_graph_create_filter",
            "avfilter_inout_alloc", "avfilter_inout_free", "avfilter_graph_parse_ptr", "avfilter_graph_config",
            "av_buffersrc_add_frame", "av_buffersink_get_frame",
        ])
}

/// Functions of libvmaf. The library is loaded at first use.
typealias VMAFLibrary = qd_vmaf

extension VMAFLibrary {
    /// nil if the library is not installed. Its files are those of version 3 and of version 2.
    static let shared: VMAFLibrary? = loaded(
        ["libvmaf.so.3", "libvmaf.so.1"], VMAFLibrary(),
        [
            "vmaf_init", "vmaf_model_load", "vmaf_use_features_from_model", "vmaf_picture_alloc", "vmaf_read_pictures",
            "vmaf_score_at_index", "vmaf_close", "vmaf_model_destroy",
        ])
}

/// Loads the first of these libraries that is installed, and fills a table with its functions. `names`: those of the
/// functions, in the order of the table's members. nil if one is missing.
private func loaded<Table>(_ libraries: [String], _ table: Table, _ names: [String]) -> Table? {
    precondition(MemoryLayout<Table>.size == names.count * 8, "a name for each member of 8 bytes")
    guard let library = libraries.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
    let functions = names.compactMap { dlsym(library, $0) }
    guard functions.count == names.count else { return nil }
    var table = table
    withUnsafeMutableBytes(of: &table) { table in functions.withUnsafeBytes { table.copyMemory(from: $0) } }
    return table
}

/// FFmpeg's demuxers for cameras and displays. Their library loads some sixty others. It is therefore loaded only when
/// the first device is opened.
enum DeviceLibrary {
    /// Loads the library at the first access.
    static let isInstalled: Bool = {
        let nothing: @convention(c) () -> Void = {}
        let register = loaded(["libavdevice.so.\(LIBAVDEVICE_VERSION_MAJOR)"], nothing, ["avdevice_register_all"])
        register?()
        return register != nil
    }()
}

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
