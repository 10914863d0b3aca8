import Base
import CPulse

extension LinkedLibrary {
    public static var ofSpeaker: [LinkedLibrary] {
        [LinkedLibrary("libpulse", String(cString: pa_get_library_version()))]
    }
}
