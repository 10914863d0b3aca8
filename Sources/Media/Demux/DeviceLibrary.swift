import CFFmpeg
import Glibc

/// FFmpeg's demuxers for cameras and displays. The library that has them brings some sixty others with it, and is loaded
/// when the first device is opened.
enum DeviceLibrary {
    enum Loading { case done, notInstalled }

    /// The first call loads it.
    static let loading: Loading = {
        guard let library = dlopen("libavdevice.so.\(LIBAVDEVICE_VERSION_MAJOR)", RTLD_NOW | RTLD_LOCAL),
            let register = dlsym(library, "avdevice_register_all")
        else { return .notInstalled }
        unsafeBitCast(register, to: (@convention(c) () -> Void).self)()
        return .done
    }()
}
