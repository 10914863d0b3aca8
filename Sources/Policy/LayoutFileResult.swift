import Base
import Commands
import Layout

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
