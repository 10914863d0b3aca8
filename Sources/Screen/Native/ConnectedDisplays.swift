import CSDL2
import Glibc

/// The displays that are connected now.
public enum ConnectedDisplays {
    /// Names in the order of the displays' numbers; empty if no display can be reached. Opens no window. Called on the
    /// main thread, in a program that shows none.
    public static func names() -> [String] {
        let variables: [String] = ["WAYLAND_DISPLAY", "DISPLAY"]
        guard variables.contains(where: { getenv($0).map { $0.pointee != 0 } ?? false }) else { return [] }
        SDL_SetHint("SDL_VIDEODRIVER", "x11,wayland")
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else { return [] }
        defer { SDL_QuitSubSystem(SDL_INIT_VIDEO) }
        return (0..<max(0, SDL_GetNumVideoDisplays())).map { number in
            SDL_GetDisplayName(number).map { String(cString: $0) } ?? ""
        }
    }
}
