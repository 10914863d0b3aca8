import Foundation

/// A Python environment with packages from PyPI, made once beside the build. Its packages are independent readers of
/// the program's input formats.
public enum Python {
    private static let lock = NSLock()

    /// Returns the path of its interpreter. `packages`: the module's name and pip's name of each.
    public static func with(_ packages: [(module: String, name: String)]) throws -> String {
        try lock.withLock {
            let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../.build").standardizedFileURL
                .path
            let python = "\(root)/venv/bin/python"
            if access(python, X_OK) != 0 { try run(["python3", "-m", "venv", "--clear", "\(root)/venv"]) }
            let missing = packages.filter { (try? run([python, "-c", "import \($0.module)"])) == nil }
            if !missing.isEmpty {
                try run(
                    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"] + missing.map(\.name))
            }
            return python
        }
    }
}
