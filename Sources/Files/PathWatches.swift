import Glibc

/// The watched folders on the ways to files: every folder from the root to a file, links followed, so that a
/// replacement of any part is noticed. Belongs to one thread.
struct PathWatches {
    let events: FolderEvents
    private var pathWatches: [String: PathWatch] = [:]
    /// Files by folder and entry on the way to them.
    private var index: [Int32: [String: [(path: String, isLast: Bool)]]] = [:]

    private struct PathWatch {
        var steps: [(folder: Int32, name: String, isLast: Bool)] = []
        /// True if a folder can't be watched; then only the periodic check notices its changes.
        var isBlind = false
    }

    /// The kernel's limit on links followed.
    private static let mostLinks = 40

    init(_ events: FolderEvents) { self.events = events }

    /// Watches the present ways to `paths`. Files that were watched before and are not in `all` are forgotten.
    mutating func lay(_ paths: some Sequence<String>, among all: [String]) {
        let former = Set(index.keys)
        for path in paths { pathWatches[path] = pathWatch(to: path) }
        let kept = Set(all)
        pathWatches = pathWatches.filter { kept.contains($0.key) }
        index = [:]
        for (path, pathWatch) in pathWatches {
            for step in pathWatch.steps {
                index[step.folder, default: [:]][step.name, default: []].append((path, step.isLast))
            }
        }
        for folder in former where index[folder] == nil { events.forget(folder) }
    }

    /// Files with an existing folder on their way that can't be watched.
    var blind: [String] { pathWatches.filter(\.value.isBlind).map(\.key) }

    /// Returns the files that an event concerns. They may now lie elsewhere, unless a content has changed.
    func touched(by event: FolderEvents.Event) -> [String] {
        let entries = index[event.folder] ?? [:]
        return switch event.kind {
        case .lost: Array(pathWatches.keys)
        case .folder: entries.values.flatMap { $0.map(\.path) }
        case .name: (entries[event.name] ?? []).map(\.path)
        case .content: (entries[event.name] ?? []).filter(\.isLast).map(\.path)
        }
    }

    /// Watches each folder before following its entry, so that no change in between is lost.
    private func pathWatch(to path: String) -> PathWatch {
        var pathWatch = PathWatch()
        var folder = path.utf8.first == UInt8(ascii: "/") ? "/" : workingFolder() ?? "/"
        var parts = PathWatches.parts(of: path)
        var links = 0
        while let part = parts.popLast() {
            if part == "." { continue }
            if part == ".." {
                folder = PathWatches.parent(of: folder)
                continue
            }
            switch events.watch(folder, parts.isEmpty ? .contents : .names) {
            case .failure(let trouble) where [ENOENT, ENOTDIR].contains(trouble.number): return pathWatch
            case .failure: pathWatch.isBlind = true
            case .success(let number): pathWatch.steps.append((number, part, parts.isEmpty))
            }
            let next = folder == "/" ? "/" + part : folder + "/" + part
            guard let target = linkTarget(of: next) else {
                folder = next
                continue
            }
            links += 1
            if links > PathWatches.mostLinks { return pathWatch }
            if target.utf8.first == UInt8(ascii: "/") { folder = "/" }
            parts += PathWatches.parts(of: target)
        }
        return pathWatch
    }

    /// Parts of the path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.reversed()
    }

    /// `folder` contains no links.
    private static func parent(of folder: String) -> String {
        let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/"))!
        return slash == folder.utf8.startIndex ? "/" : String(folder[..<slash])
    }
}

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
