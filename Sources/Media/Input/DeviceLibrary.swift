import CFFmpeg
import Glibc

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
