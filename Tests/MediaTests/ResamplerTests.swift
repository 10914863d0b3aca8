import Expectations
import Testing

@testable import Media

@Suite struct ResamplerTests {
    /// The mixer keeps a hundred resamplers, each as it was before a step.
    @Test func whatIsRememberedHasNoMoreRoomThanItFills() throws {
        var resampler = Resampler()
        var remembered: [Resampler] = []
        var target = [Float](repeating: 0, count: 960)
        for _ in 0..<200 {
            remembered.append(resampler)
            while resampler.missing(for: 480, at: 1) > 0 { resampler.append([Float](repeating: 0, count: 192)) }
            target.withUnsafeMutableBufferPointer { resampler.take(480, at: 1, to: $0.baseAddress!) }
        }
        for one in remembered {
            let child = try #require(Mirror(reflecting: one).children.first { $0.label == "queue" })
            let queue = try #require(child.value as? [Float])
            // malloc rounds to sixteen bytes.
            expect(queue.capacity, atMost: queue.count + 8)
        }
    }
}
