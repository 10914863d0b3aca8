import Base
import Layout

/// The files that were read for one decision. What is read once counts for all of the decision.
public struct LayoutRead: Sendable {
    private var layouts: [String: (LayoutFileResult, FileIdentity?)] = [:]
    private var identities: [String: FileIdentity?] = [:]
    /// By the name of the layout's file; nil for a layout without one. Layouts themselves may differ from themselves: a
    /// number may be none.
    private var sources: [String?: (Layout, SourceFiles)] = [:]
    private var found: [Set<String>: Bool] = [:]

    /// A file that a decision lacks.
    public enum Missing: Error, Sendable {
        case layout(String)
        case identity(of: String)
        /// The files of the folders and songs of a layout, which has this name.
        case sources(of: Layout, named: String?)
        /// True if one of these paths leads to a source made of several files.
        case source(among: Set<String>, SourceKind)
    }
    public enum SourceKind: Sendable { case folder, folderOrSong }

    public init() {}

    // MARK: questions

    func layout(_ name: String) throws(Missing) -> (LayoutFileResult, FileIdentity?) {
        guard let layout = layouts[name] else { throw .layout(name) }
        return layout
    }

    func identity(of path: String) throws(Missing) -> FileIdentity? {
        guard let identity = identities[path] else { throw .identity(of: path) }
        return identity
    }

    /// Returns the layout with its folders and songs replaced by their files.
    func sources(of layout: Layout, named name: String?) throws(Missing) -> (Layout, SourceFiles) {
        guard let read = sources[name] else { throw .sources(of: layout, named: name) }
        return read
    }

    func hasSource(among paths: Set<String>, _ kind: SourceKind) throws(Missing) -> Bool {
        guard let isFound = found[paths] else { throw .source(among: paths, kind) }
        return isFound
    }

    // MARK: answers

    public mutating func note(_ result: LayoutFileResult, _ file: FileIdentity?, of name: String) {
        layouts[name] = (result, file)
    }
    public mutating func note(_ identity: FileIdentity?, of path: String) { identities[path] = .some(identity) }
    public mutating func note(_ layout: Layout, _ files: SourceFiles, of name: String?) {
        sources[name] = (layout, files)
    }
    public mutating func note(_ isFound: Bool, among paths: Set<String>) { found[paths] = isFound }
}
