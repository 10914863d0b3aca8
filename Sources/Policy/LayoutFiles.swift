import Base
import Commands
import Layout

/// A layout as it was loaded, without what the command line adds.
public struct LoadedLayout: Sendable {
    /// Name as it was written, so that sources keep their names; nil if there is no layout's file (media, standard
    /// input).
    public var name: String?
    /// Identity of the file that was read last, so that a change is noticed.
    public var file: FileIdentity?
    public var layout: Layout
    /// True unless the system refused the file at the last attempt. A retry may succeed although the file has not
    /// changed.
    public var wasRead = true

    public init(name: String?, file: FileIdentity?, layout: Layout, wasRead: Bool = true) {
        (self.name, self.file, self.layout, self.wasRead) = (name, file, layout, wasRead)
    }
}

/// A layout's file that a schedule names, as it was when it was read.
public struct ScheduledLayout: Equatable, Sendable {
    public var path: String
    /// Identity of the file; nil if there was none.
    public var file: FileIdentity?
    /// True unless the system refused the file. A retry may succeed although the file has not changed.
    public var wasRead = true

    public init(path: String, file: FileIdentity?, wasRead: Bool = true) {
        (self.path, self.file, self.wasRead) = (path, file, wasRead)
    }
}

/// Result of reading a layout's file.
public enum LayoutFileResult: Sendable {
    case layout(Layout)
    case mistakes(Mistakes, path: String)
    /// The system refused the file, or there is none.
    case unreadable(String)

    /// True if the file was read, even if it has mistakes.
    public var wasRead: Bool { if case .unreadable = self { false } else { true } }

    /// nil if the file holds no layout that could be shown.
    public var written: Layout? { if case .layout(let layout) = self { layout } else { nil } }

    /// Lines for the user, and the number of mistakes; nil if the file holds a layout.
    public var failure: (lines: [String], mistakes: Int)? {
        switch self {
        case .layout: nil
        case .mistakes(let mistakes, let path): (mistakes.lines(path: path), mistakes.count)
        case .unreadable(let text): (["quadrille: \(text)"], 1)
        }
    }

    /// Answer to a command that needed the layout.
    var error: ControlError {
        switch self {
        case .layout: .loadingFailed
        case .mistakes(let mistakes, let path):
            ControlError(
                .loadingFailed,
                because: (mistakes.listed.first?.rendered(path: path) ?? path)
                    + (mistakes.count > 1 ? " (and \(mistakes.count - 1) more)" : ""))
        case .unreadable(let text): ControlError(.loadingFailed, because: text)
        }
    }
}

/// Files of a layout's folders and songs, as they were when these were read.
public struct SourceFiles: Sendable {
    /// Folders, missing paths that may become folders, and songs. If one of them changes, all are to be read again.
    public var watched: Set<String> = []
    /// Identities of the watched paths before they were read. Missing paths have none.
    public var identities: [String: FileIdentity] = [:]
    /// Folders that the system did not open. A retry may succeed although the folder has not changed.
    public var unopened: Set<String> = []
    /// Files to play once they are there: files that are being copied into folders, and files that songs lack.
    public var unfinished: Set<String> = []
    /// Lines on what songs lack.
    public var lacks: [String] = []

    public init() {}

    /// Notes a path's new identity. The path may be watched again, with this identity, before its layout is read again.
    mutating func noteChange(of path: String, to identity: FileIdentity) {
        if watched.contains(path) { identities[path] = identity }
    }

    /// Returns the state that a watched file had when the layout was read. Changes since then are reported, too.
    func known(_ path: String) -> WatchedFile.Known {
        guard watched.contains(path) else { return .asFound }
        return identities[path].map { .file($0) } ?? .absent
    }
}
