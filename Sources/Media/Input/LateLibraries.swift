import CFFmpeg
import Glibc

/// Functions of libavfilter for `FilterGraph` and `VMAF`. The library is loaded at first use.
///
/// The library loads some thirty others (speech, vision, Vulkan). Linked in, they made every start a third slower and
/// took 11 MiB, though walls hardly ever play at another rate.
public struct FilterLibrary: @unchecked Sendable {
    typealias Graph = UnsafeMutablePointer<AVFilterGraph>
    typealias Context = UnsafeMutablePointer<AVFilterContext>
    typealias Pads = UnsafeMutablePointer<AVFilterInOut>
    typealias Samples = UnsafeMutablePointer<AVFrame>

    typealias MakeGraph = @convention(c) () -> Graph?
    typealias FreeGraph = @convention(c) (UnsafeMutablePointer<Graph?>?) -> Void
    typealias FindFilter = @convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<AVFilter>?
    typealias CreateFilter =
        @convention(c) (
            UnsafeMutablePointer<Context?>?, UnsafePointer<AVFilter>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafeMutableRawPointer?, Graph?
        ) -> Int32
    typealias MakePads = @convention(c) () -> Pads?
    typealias FreePads = @convention(c) (UnsafeMutablePointer<Pads?>?) -> Void
    typealias Parse =
        @convention(c) (
            Graph?, UnsafePointer<CChar>?, UnsafeMutablePointer<Pads?>?, UnsafeMutablePointer<Pads?>?,
            UnsafeMutableRawPointer?
        ) -> Int32
    typealias Configure = @convention(c) (Graph?, UnsafeMutableRawPointer?) -> Int32
    typealias Pass = @convention(c) (Context?, Samples?) -> Int32

    let makeGraph: MakeGraph
    let freeGraph: FreeGraph
    let findFilter: FindFilter
    let createFilter: CreateFilter
    let makePads: MakePads
    let freePads: FreePads
    let parse: Parse
    let configure: Configure
    let push: Pass
    let pull: Pass

    /// nil if the library is not installed. The first call loads it, which takes some 50 ms.
    static let shared = FilterLibrary()

    private init?() {
        // Only the version of the compiled headers: structures of another version may differ.
        guard let library = dlopen("libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)", RTLD_NOW | RTLD_LOCAL) else {
            return nil
        }
        func function<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function? {
            dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let makeGraph: MakeGraph = function("avfilter_graph_alloc"),
            let freeGraph: FreeGraph = function("avfilter_graph_free"),
            let findFilter: FindFilter = function("avfilter_get_by_name"),
            let createFilter: CreateFilter = function("avfilter_graph_create_filter"),
            let makePads: MakePads = function("avfilter_inout_alloc"),
            let freePads: FreePads = function("avfilter_inout_free"),
            let parse: Parse = function("avfilter_graph_parse_ptr"),
            let configure: Configure = function("avfilter_graph_config"),
            let push: Pass = function("av_buffersrc_add_frame"),
            let pull: Pass = function("av_buffersink_get_frame")
        else { return nil }
        (self.makeGraph, self.freeGraph, self.findFilter) = (makeGraph, freeGraph, findFilter)
        (self.createFilter, self.makePads, self.freePads) = (createFilter, makePads, freePads)
        (self.parse, self.configure, self.push, self.pull) = (parse, configure, push, pull)
    }
}

/// FFmpeg's demuxers for cameras and displays. Their library loads some sixty others. It is therefore loaded only when
/// the first device is opened.
enum DeviceLibrary {
    enum Loading { case done, notInstalled }

    /// Loads the library at the first access.
    static let loading: Loading = {
        guard let library = dlopen("libavdevice.so.\(LIBAVDEVICE_VERSION_MAJOR)", RTLD_NOW | RTLD_LOCAL),
            let register = dlsym(library, "avdevice_register_all")
        else { return .notInstalled }
        unsafeBitCast(register, to: (@convention(c) () -> Void).self)()
        return .done
    }()
}
