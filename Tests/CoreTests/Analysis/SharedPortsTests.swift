import Expectations
import Testing

@testable import Analysis
@testable import Base
@testable import Layout
@testable import SimulatedWall

/// Tiles that would receive on the same port.
@Suite struct SharedPortsTests {
    static let ports: [(String, [String])] = [
        ("udp://127.0.0.1:5000", ["udp 5000"]), ("UDP://@:5000?fifo_size=9", ["udp 5000"]),
        ("udp://[::1]:5000", ["udp 5000"]), ("udp://10.0.0.1:5000?localport=6000", ["udp 6000"]),
        ("udp://239.1.1.1:5000", []), ("udp://[ff02::1]:5000", []), ("udp://@232.0.0.1:5000", []),
        ("rtp://127.0.0.1:5000", ["udp 5000", "udp 5001"]), ("udp://nowhere", []),
        ("srt://10.0.0.1:5000", []), ("srt://0.0.0.0:5000?latency=9&mode=listener", ["udp 5000"]),
        ("tcp://10.0.0.1:5000", []), ("tcp://0.0.0.0:5000?listen=1", ["tcp 5000"]),
        ("tcp://0.0.0.0:5000?listen=0", []), ("http://10.0.0.1:5000/x", []), ("film.mp4", []),
    ]

    @Test(arguments: ports) func aSourceTakesPorts(_ source: String, _ expected: [String]) {
        expect(ReceivingPort.all(of: source).map(\.description), equals: expected)
    }

    private func words(_ sequences: [[String]], _ change: (inout Layout) -> Void = { _ in }) -> [String] {
        var layout = Layout.of(sequences)
        change(&layout)
        return layout.sharedPorts
    }

    @Test func unlikeTilesOfOnePortAreNamed() {
        expect(
            words([["udp://:5000"], ["udp://:5000", "film.mp4"]]),
            equals: ["two tiles receive on the same port: tile1, tile2 (udp 5000)"])
        expect(
            words([["udp://:5001"], ["rtp://:5000"], ["srt://:5001?mode=listener"], ["tcp://:5001?listen=1"]]),
            equals: ["3 tiles receive on the same port: tile1, tile2, tile3 (udp 5001)"])
    }

    /// Equal tiles share a feed, which receives once.
    @Test func equalTilesReceiveOnce() {
        expect(words([["udp://:5000"], ["udp://:5000"]]).isEmpty)
        let apart = words([["udp://:5000"], ["udp://:5000"]]) { $0.tiles[1].offset = .seconds(1) }
        expect(apart.count, equals: 1)
        expect(words([["udp://:5000", "udp://:5000?pkt_size=1316"], ["udp://:5002"]]).isEmpty)
    }
}
