import Base
import CAss
import CSDL2

extension LinkedLibrary {
    /// The libraries of Screen that state their versions.
    public static var ofScreen: [LinkedLibrary] {
        var sdl = SDL_version()
        SDL_GetVersion(&sdl)
        // Two decimal digits a byte, as in 0x01703000 for 0.17.3.
        let ass = UInt32(bitPattern: ass_library_version())
        let assParts = [UInt32(28), 20, 12].map { decimal(ass >> $0 & 0xFF) }
        let fontconfig = UInt32(bitPattern: FcGetVersion())
        return [
            LinkedLibrary("SDL", [UInt32(sdl.major), UInt32(sdl.minor), UInt32(sdl.patch)]),
            LinkedLibrary("libass", assParts),
            LinkedLibrary("fontconfig", [fontconfig / 10_000, fontconfig / 100 % 100, fontconfig % 100]),
        ]
    }

    private static func decimal(_ digits: UInt32) -> UInt32 { digits / 16 * 10 + digits % 16 }
}
