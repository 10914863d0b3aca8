import Base
import Files
import Glibc
import Opened

/// Place of a source, checked before it is opened, with its URL for FFmpeg.
struct Location {
    /// Name as in the layout.
    let name: String
    /// Path of a file or a device.
    let path: String?
    let place: SourceTraits.Place
    /// URL for FFmpeg. Files have their protocol in front, so that a colon in a name has no meaning.
    let url: String

    /// Refuses missing files and ones that would block: only regular files, video devices and URLs are accepted.
    init(_ name: String) throws(SourceTrouble) {
        self.name = name
        path = SourceName.path(of: name)
        if let device = DeviceAddress(name) {
            if device.kind == .v4l2, access(device.name, R_OK | W_OK) != 0 {
                throw errno == ENOENT ? SourceTrouble(.missing, "no such camera") : SourceTrouble(errno: errno)
            }
            (place, url) = (.device, device.name)
            return
        }
        guard let path else {
            (place, url) = (.network, SourceName.scheme(of: name) == "rtsp" ? RTSPAddress(name).url : name)
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw SourceTrouble(errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            guard access(path, R_OK) == 0 else { throw SourceTrouble(errno: errno) }
            guard status.st_size > 0 else { throw SourceTrouble(.damaged, "the file is empty") }
            (place, url) = (.file, "file:" + path)
        case S_IFCHR where path.hasPrefix("/dev/video"):
            throw SourceTrouble(.unsupported, "it is a camera; v4l2://\(path) would be right")
        case S_IFDIR:
            guard access(path, R_OK | X_OK) == 0 else { throw SourceTrouble(errno: errno) }
            throw SourceTrouble(.unreadable, "there are no media in this folder")
        case S_IFIFO: throw SourceTrouble(.unreadable, "it is a FIFO")
        case S_IFSOCK: throw SourceTrouble(.unreadable, "it is a socket")
        default: throw SourceTrouble(.unreadable, "it is a device that shows no video")
        }
    }
}

/// An rtsp URL and its transport. The query may contain `tcp` or `udp`, which is not sent to the server.
struct RTSPAddress {
    let url: String
    /// FFmpeg's name; nil for TCP if the server supports it, else UDP.
    let transport: String?

    init(_ name: String) {
        guard let mark = name.lastIndex(of: "?") else {
            (url, transport) = (name, nil)
            return
        }
        let words = name[name.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let others = words.filter { !Self.transports.contains(String($0)) }
        url = name[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
        transport = words.map(String.init).last(where: Self.transports.contains)
    }

    private static let transports = ["tcp", "udp"]
}
