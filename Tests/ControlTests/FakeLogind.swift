import CSystemd
import Glibc
import Threads

@testable import Desktop

/// A stand-in for logind on a bus: notes what programs inhibit, and for how long. Ends by `stop`.
final class FakeLogind: Sendable {
    struct Notes {
        /// Arguments of each call of Inhibit.
        var calls: [[String]] = []
        /// Read ends of the pipes that were handed out.
        var files: [Int32] = []
        var isNamed = false
        var isStopping = false
    }
    private let notes = Locked(Notes())
    private let worker: Worker

    init(_ address: String) throws {
        let notes = notes
        worker = try Worker("logind") {
            guard let connection = try? BusConnection(address: address) else { return }
            try? connection.serve("/org/freedesktop/login1") { call in
                guard call.member == "Inhibit", call.hasSignature("ssss") else { return .unknown }
                let arguments = (0..<4).compactMap { _ in call.read("s")?.asText }
                var ends: [Int32] = [-1, -1]
                guard pipe(&ends) == 0, let reply = try? call.reply() else { return .unknown }
                sd_bus_message_append_basic(reply.handle, CChar(UInt8(ascii: "h")), &ends[1])
                try? connection.send(reply)
                close(ends[1])
                notes.locked { [ends] in
                    $0.calls.append(arguments)
                    $0.files.append(ends[0])
                }
                return .handled
            }
            try? connection.requestName("org.freedesktop.login1") { reply in
                let code = reply.readCount()
                notes.locked { $0.isNamed = code == 1 }
            }
            while !notes.locked({ $0.isStopping }), (try? connection.process()) != nil {
                var file = pollfd(fd: connection.file, events: connection.events, revents: 0)
                poll(&file, 1, 5)
            }
        }
    }

    var calls: [[String]] { notes.locked { $0.calls } }
    var isNamed: Bool { notes.locked { $0.isNamed } }

    /// True while a program holds a file that it was given.
    var isHeld: Bool {
        notes.locked { notes in
            notes.files.contains { end in
                var file = pollfd(fd: end, events: 0, revents: 0)
                poll(&file, 1, 0)
                return file.revents & Int16(POLLHUP) == 0
            }
        }
    }

    func stop() {
        notes.locked { $0.isStopping = true }
        _ = worker.join()
        for file in notes.locked({ $0.files }) { close(file) }
    }
}
