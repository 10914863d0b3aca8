import Glibc

/// inotify for folders. Belongs to one thread; closed by `close`.
struct FolderEvents {
    /// Readable while there are events. Non-blocking.
    let file: Int32

    struct Event {
        /// Number that `watch` returned; -1 if events were lost.
        var folder: Int32
        /// Name of the entry; empty if the event concerns the folder itself.
        var name: String
        var kind: Kind
    }

    enum Kind {
        /// The name now leads to another file or to none.
        case name
        /// The entry's content or attributes changed.
        case content
        /// The folder was moved or removed.
        case folder
        case lost
    }

    enum Interest { case names, contents }

    private static let named = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    private static let changed = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
    private static let gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT

    /// Returns nil if the system has no inotify instance left.
    init?() {
        file = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard file >= 0 else { return nil }
    }

    func close() { Glibc.close(file) }

    /// Watches a folder. If it is watched already, its number stays and the interest is added.
    func watch(_ folder: String, _ interest: Interest) -> Result<Int32, FileTrouble> {
        let kinds = FolderEvents.named | (interest == .contents ? FolderEvents.changed : 0)
        let own = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_MASK_ADD
        let number = inotify_add_watch(file, folder, UInt32(kinds | own))
        return number >= 0 ? .success(number) : .failure(FileTrouble(path: folder, number: errno))
    }

    func forget(_ folder: Int32) { inotify_rm_watch(file, folder) }

    /// Returns the pending events in order, about a thousand at most.
    func read() -> [Event] {
        var events: [Event] = []
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
            while events.count < 1000 {
                let count = Glibc.read(file, buffer.baseAddress!, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                var start = 0
                while start < count {
                    let event = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                    let name = start + MemoryLayout<inotify_event>.size
                    start = name + Int(event.len)
                    let bytes = buffer[name..<start].prefix { $0 != 0 }
                    events.append(
                        Event(folder: event.wd, name: String(decoding: bytes, as: UTF8.self), kind: kind(event.mask)))
                }
            }
        }
        return events
    }

    private func kind(_ mask: UInt32) -> Kind {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return .lost }
        if mask & UInt32(FolderEvents.gone) != 0 { return .folder }
        return mask & UInt32(FolderEvents.named) != 0 ? .name : .content
    }
}
