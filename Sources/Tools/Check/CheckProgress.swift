import Base
import Console
import Glibc
import Threads

/// Progress of reading the sources of a layout, one after the other. Weighted by the sizes of their files.
struct CheckProgress {
    /// Media time up to which the present source was read. The thread that reads sets it.
    let time = Locked(Time.zero)
    private let sizes: [String: Int64]
    /// Bytes of the sources that were read.
    private var done: Int64 = 0
    private var bar: ProgressBar

    init(_ sources: some Sequence<String>) {
        let sizes = Dictionary(sources.map { ($0, Self.size(of: $0)) }) { first, _ in first }
        self.sizes = sizes
        bar = ProgressBar(total: sizes.values.reduce(0, +), .bytes)
    }

    /// Size of a file in bytes; 0 for any other source.
    private static func size(of source: String) -> Int64 {
        var status = stat()
        guard let path = SourceName.path(of: source), stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_size)
    }

    /// `length`: length of the source; nil if it is unknown.
    mutating func show(_ source: String, lasting length: Time?) {
        guard let length, length > .zero else { return }
        let share = min(max(0, time.locked { $0 }.seconds / length.seconds), 1)
        bar.show(done + Int64(share * Double(sizes[source] ?? 0)))
    }

    mutating func finish(_ source: String) {
        done += sizes[source] ?? 0
        time.locked { $0 = .zero }
    }

    func end() { bar.clear() }
}
