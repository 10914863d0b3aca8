import Base
import Files
import Layout
import Policy

/// A file that holds a layout.
public enum LayoutFile {
    /// Reads a layout's file, and returns which file that was.
    public static func read(_ path: String) -> (result: LayoutFileResult, file: FileIdentity?) {
        if SourceName.isURL(path) {
            return (.unreadable("\(SourceName.withoutSecrets(path)): layouts are files, and this is a URL"), nil)
        }
        switch bytes(of: path) {
        case .failure(let code):
            return (.unreadable("\(path): the layout can't be read: \(code)"), FileIdentity(path: path))
        case .success(let (bytes, file)):
            switch LayoutReader.read(bytes, path: path) {
            case .layout(let layout): return (.layout(layout), file)
            case .mistakes(let mistakes): return (.mistakes(mistakes, path: path), file)
            }
        }
    }
}
