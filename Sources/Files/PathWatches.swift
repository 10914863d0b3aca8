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

    /// Returns the files that an event concerns, and the files among them that may now lie elsewhere.
    func touched(by event: FolderEvents.Event) -> (stirred: [String], rerouted: [String]) {
        switch event.kind {
        case .lost:
            let all = Array(pathWatches.keys)
            return (all, all)
        case .folder:
            let all = (index[event.folder] ?? [:]).values.flatMap { $0.map(\.path) }
            return (all, all)
        case .name:
            let paths = (index[event.folder]?[event.name] ?? []).map(\.path)
            return (paths, paths)
        case .content:
            return ((index[event.folder]?[event.name] ?? []).filter(\.isLast).map(\.path), [])
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
