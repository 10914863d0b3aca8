import Glibc

/// Runs `body` with a new folder, without links in its path, and removes the folder with its contents.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    var name = Array("/tmp/quadrille-files-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil, let real = realpath(name, nil) else { throw NoFolder(number: errno) }
    let folder = String(cString: real)
    free(real)
    defer { removeAll(folder) }
    return try body(folder)
}

struct NoFolder: Error { let number: Int32 }

func removeAll(_ path: String) {
    if status(path).map({ $0.st_mode & S_IFMT }) == S_IFDIR {
        for entry in entries(path) { removeAll("\(path)/\(entry)") }
        rmdir(path)
    } else {
        unlink(path)
    }
}

/// Names of the entries, without `.` and `..`.
func entries(_ folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// Status of the link itself.
func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
}

/// Writes in place: the file is truncated if it exists.
func write(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    append(text, to: file)
    close(file)
}

func append(_ text: String, to file: Int32) {
    let bytes = Array(text.utf8)
    precondition(Glibc.write(file, bytes, bytes.count) == bytes.count, "a short write")
}

func text(of path: String) -> String { String(decoding: contents(of: path), as: UTF8.self) }

func contents(of path: String) -> [UInt8] { contents(of: open(path, O_RDONLY)) }

/// Reads and closes the file.
func contents(of file: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(file, &bytes, bytes.count)
    close(file)
    return Array(bytes.prefix(max(0, count)))
}
