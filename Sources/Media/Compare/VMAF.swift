import CFFmpeg

/// VMAF, by libavfilter's filter libvmaf, which not every build of FFmpeg has.
public enum VMAF {
    /// The first call loads libavfilter.
    public static var isThere: Bool { FilterLibrary.shared?.findFilter("libvmaf") != nil }
}
