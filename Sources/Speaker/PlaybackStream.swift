import CPulse
import Threads
import WallCore

/// The stream on one connection. Everything happens with the main loop's lock held.
final class PlaybackStream {
    private let stream: OpaquePointer
    private unowned let owner: Connection
    private var continuity = Speaker.Continuity.broken
    /// In bytes: what the server is to hold.
    private var target: UInt32
    private var isCorkAsked = false
    private(set) var isReady = false
    private var isClosed = false

    private static let frameBytes = 8
    /// Of the whole way to the ear, in milliseconds; grows where it proves too short.
    private static let shortest: UInt32 = 40
    private static let longest: UInt32 = 240
    private static let request: UInt32 = 10

    private static func bytes(ofMilliseconds milliseconds: UInt32) -> UInt32 {
        milliseconds * UInt32(SoundGrid.rate / 1000 * frameBytes)
    }

    init?(in context: OpaquePointer, of owner: Connection) {
        var sample = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(SoundGrid.rate), channels: 2)
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, qd_MEDIA_ROLE, "video")
        pa_proplist_sets(properties, qd_MEDIA_TITLE, owner.title)
        guard let stream = pa_stream_new_with_proplist(context, owner.title, &sample, nil, properties) else {
            return nil
        }
        (self.stream, self.owner, target) = (stream, owner, Self.bytes(ofMilliseconds: Self.shortest))
        let me = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, streamChanged, me)
        pa_stream_set_write_callback(stream, samplesAsked, me)
        pa_stream_set_underflow_callback(stream, streamRanDry, me)
        pa_stream_set_moved_callback(stream, streamMoved, me)
        pa_stream_set_event_callback(stream, eventCame, me)
        var attributes = attributes
        let flags =
            PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
            | PA_STREAM_AUTO_TIMING_UPDATE.rawValue | (isToBeCorked ? PA_STREAM_START_CORKED.rawValue : 0)
        guard pa_stream_connect_playback(stream, nil, &attributes, pa_stream_flags_t(flags), nil, nil) >= 0 else {
            close()
            return nil
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_set_event_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
    }

    deinit { precondition(isClosed, "a stream was never closed") }

    private var attributes: pa_buffer_attr {
        pa_buffer_attr(
            // Without a prebuffer a hole is only a hole: what follows it comes at its time.
            maxlength: .max, tlength: target, prebuf: 0, minreq: Self.bytes(ofMilliseconds: Self.request),
            fragsize: .max)
    }

    var output: UInt32 { pa_stream_get_device_index(stream) }

    func describe(_ title: String) {
        guard isReady else { return }
        let properties = pa_proplist_new()
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, qd_MEDIA_NAME, title)
        pa_proplist_sets(properties, qd_MEDIA_TITLE, title)
        drop(pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, properties, nil, nil))
    }

    // MARK: corking

    private var isToBeCorked: Bool { isCorkAsked || owner.resting == .resting }

    func settleCork() {
        guard isReady, (pa_stream_is_corked(stream) != 0) != isToBeCorked else { return }
        continuity = .broken
        if isToBeCorked { drop(pa_stream_flush(stream, nil, nil)) }
        drop(pa_stream_cork(stream, isToBeCorked ? 1 : 0, nil, nil))
    }

    /// Somebody more important wants to be heard, or no longer.
    fileprivate func handle(event: String) {
        switch event {
        case String(cString: qd_REQUEST_CORK): isCorkAsked = true
        case String(cString: qd_REQUEST_UNCORK): isCorkAsked = false
        default: return
        }
        settleCork()
    }

    // MARK: samples

    fileprivate func handleState() {
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            isReady = true
            owner.handleStreamReady()
            settleCork()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            owner.handleStreamFailure()
        default: break
        }
    }

    fileprivate func handleRequest(_ bytes: Int) {
        var remaining = bytes / Self.frameBytes * Self.frameBytes
        while remaining > 0 {
            var data: UnsafeMutableRawPointer?
            var count = remaining
            guard pa_stream_begin_write(stream, &data, &count) >= 0, let data else { return }
            count = min(count, remaining) / Self.frameBytes * Self.frameBytes
            guard count > 0 else {
                pa_stream_cancel_write(stream)
                return
            }
            let frames = count / Self.frameBytes
            let latency = latency
            owner.render(
                data.assumingMemoryBound(to: Float.self), frames,
                Time(nanoseconds: monotonicNanoseconds()) + (latency ?? .milliseconds(Int64(Self.shortest))), continuity
            )
            // As long as nothing is measured, nothing is to be held to it.
            continuity = latency == nil ? .broken : .unbroken
            if pa_stream_write(stream, data, count, nil, 0, PA_SEEK_RELATIVE) < 0 { return }
            remaining -= count
        }
    }

    /// From writing to hearing; nil: not measured yet.
    private var latency: Time? {
        var microseconds: pa_usec_t = 0
        var isNegative: Int32 = 0
        guard pa_stream_get_latency(stream, &microseconds, &isNegative) >= 0 else { return nil }
        return Time(nanoseconds: Int64(microseconds) * (isNegative != 0 ? -1000 : 1000))
    }

    /// What is late is lost, and nothing is shifted by it: only the buffer was too short.
    fileprivate func handleUnderflow() {
        guard target < Self.bytes(ofMilliseconds: Self.longest), pa_stream_is_corked(stream) == 0 else { return }
        target = min(target / 2 * 3, Self.bytes(ofMilliseconds: Self.longest)) / 8 * 8
        var attributes = attributes
        drop(pa_stream_set_buffer_attr(stream, &attributes, nil, nil))
    }

    fileprivate func handleMove() {
        continuity = .broken
        owner.lookAtOutput()
    }
}

private func playback(_ opaque: UnsafeMutableRawPointer?) -> PlaybackStream {
    Unmanaged<PlaybackStream>.fromOpaque(opaque!).takeUnretainedValue()
}

private func streamChanged(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { playback(opaque).handleState() }

private func samplesAsked(_: OpaquePointer?, _ bytes: Int, _ opaque: UnsafeMutableRawPointer?) {
    playback(opaque).handleRequest(bytes)
}

private func streamRanDry(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { playback(opaque).handleUnderflow() }

private func streamMoved(_: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) { playback(opaque).handleMove() }

private func eventCame(
    _: OpaquePointer?, _ name: UnsafePointer<CChar>?, _: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?
) {
    if let name { playback(opaque).handle(event: String(cString: name)) }
}
