import Expectations
import Foundation
import TestKit
import Testing

@testable import Screen

/// Outputs of a test compositor that implements as much of Wayland's protocol as the program uses.
@Suite struct WaylandOutputsTests {
    @Test func allOutputsAreSwitchedOffAndOn() throws {
        let compositor = try Compositor([
            (1, "wl_compositor"), (7, "wl_output"), (9, Compositor.manager), (12, "wl_output"),
        ])
        defer { compositor.stop() }
        expect(WaylandOutputs.set(.off, at: compositor.path), equals: nil)
        expect(WaylandOutputs.set(.on, at: compositor.path), equals: nil)
        expect(compositor.switched, equals: ["7 off", "12 off", "7 on", "12 on"])
    }

    @Test func aCompositorThatSwitchesNoOutputsIsReported() throws {
        let compositor = try Compositor([(1, "wl_compositor"), (7, "wl_output")])
        defer { compositor.stop() }
        let reported = WaylandOutputs.set(.off, at: compositor.path)
        expect(reported, equals: "the Wayland compositor does not support switching its outputs")
        expect(compositor.switched.isEmpty)
    }

    @Test func aCompositorThatIsNotThereIsNotWaitedFor() {
        expect(WaylandOutputs.set(.off, at: Scratch.path("nobody")), equals: "no Wayland compositor answers")
        expect(WaylandOutputs.set(.off, at: nil), equals: "no Wayland compositor answers")
    }
}

/// Serves one client after another until `stop`.
private final class Compositor: @unchecked Sendable {
    static let manager = "zwlr_output_power_manager_v1"
    let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).wl"
    private let globals: [(name: UInt32, interface: String)]
    private let socket: Int32
    private let lock = NSLock()
    private var noted: [String] = []

    var switched: [String] { lock.withLock { noted } }

    init(_ globals: [(UInt32, String)]) throws {
        self.globals = globals.map { (name: $0.0, interface: $0.1) }
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0 && listen(socket, 4) == 0)
        Thread { [socket] in
            while true {
                let client = accept(socket, nil, nil)
                if client < 0 && errno == EINTR { continue }
                // Only this thread closes the socket. Otherwise its number could be reused by another test's socket.
                if client < 0 { break }
                self.serve(client)
                close(client)
            }
            close(socket)
        }.start()
    }

    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        unlink(path)
    }

    private func serve(_ client: Int32) {
        // Kind of each of the client's objects: an output's name, "manager" or "registry".
        var objects: [UInt32: String] = [:]
        while let head = read(client, 8) {
            let object = word(head, 0), code = word(head, 4) & 0xFFFF, length = Int(word(head, 4) >> 16)
            guard let body = read(client, length - 8) else { return }
            switch (object, code) {
            case (1, 0): send(client, word(body, 0), 0, words([0]))
            case (1, 1):
                objects[word(body, 0)] = "registry"
                for global in globals {
                    var text = Array(global.interface.utf8) + [0]
                    let count = UInt32(text.count)
                    while text.count % 4 != 0 { text.append(0) }
                    send(client, word(body, 0), 0, words([global.name, count]) + text + words([4]))
                }
            case (_, 0) where objects[object] == "registry":
                let name = word(body, 0), made = word(body, body.count - 4)
                objects[made] = globals.first { $0.name == name }?.interface == Self.manager ? "manager" : "\(name)"
            case (_, 0) where objects[object] == "manager":
                objects[word(body, 0)] = objects[word(body, 4)].map { "power " + $0 }
            case (_, 0):
                guard let power = objects[object], power.hasPrefix("power ") else { return }
                let mode = word(body, 0)
                lock.withLock { noted.append("\(power.dropFirst(6)) \(mode == 0 ? "off" : "on")") }
                send(client, object, 0, words([mode]))
            default: return
            }
        }
    }

    private func read(_ client: Int32, _ count: Int) -> [UInt8]? {
        guard count >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count), done = 0
        while done < count {
            let more = bytes.withUnsafeMutableBytes { recv(client, $0.baseAddress! + done, count - done, 0) }
            if more < 0 && errno == EINTR { continue }
            guard more > 0 else { return nil }
            done += more
        }
        return bytes
    }

    private func send(_ client: Int32, _ object: UInt32, _ code: UInt32, _ body: [UInt8]) {
        let message = words([object, UInt32(8 + body.count) << 16 | code]) + body
        _ = Glibc.send(client, message, message.count, Int32(MSG_NOSIGNAL))
    }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    private func words(_ words: [UInt32]) -> [UInt8] { words.flatMap { withUnsafeBytes(of: $0, Array.init) } }
}
