import Base
import Measurement
import Media

// Lines and JSON that `align` prints.
extension Alignment {
    private var others: [(clip: AlignClip, finding: Finding)] { Array(zip(clips.dropFirst(), findings)) }

    /// Offsets of all clips but the first, in their order; nil if one is unknown.
    var offsets: [Time]? {
        let found = findings.compactMap { finding -> Time? in
            if case .found(let offset, _, _) = finding { offset } else { nil }
        }
        return found.count == findings.count ? found : nil
    }

    /// Lines for standard output, one for each offset that was found.
    var lines: [String] {
        others.enumerated().compactMap { place, other in
            let (clip, finding) = other
            guard case .found(let offset, let confidence, let means) = finding else { return nil }
            let side = offset == .zero ? "in step" : offset > .zero ? "ahead" : "behind"
            let percent = Int((confidence * 100).rounded())
            return "\(clip.shown): offset \(fixed(offset.seconds, 4)) s (\(side)), by \(means.rawValue), confidence "
                + "\(percent) %\(words(frames(offset, ofClip: place + 1)))"
        }
    }

    /// Text for an offset in frames. If the offset is no whole number of frames, the text names the nearest one.
    private func words(_ frames: FrameOffset?) -> String {
        guard let frames, frames.count != 0 || !frames.isWhole else { return "" }
        if frames.isWhole { return "; \(frames.words)" }
        return "; no whole number of frames: the nearest is \(frames.words) (\(fixed(frames.time.seconds, 4)) s)"
    }

    /// Lines for standard error.
    var troubles: [String] {
        if let trouble = referenceTrouble {
            return ["quadrille: \(clips[0].shown): \(trouble.what)"]
        }
        return others.compactMap { clip, finding in
            words(finding, clip).map { "quadrille: \(clip.shown): \($0)" }
        }
    }

    var json: String {
        let list = others.enumerated().map { place, other -> PropertyValue in
            let (clip, finding) = other
            let source: PropertyValue = ["source": .text(clip.shown)]
            guard case .found(let offset, let confidence, let means) = finding else {
                return source.adding(["offset": .null, "what": .text(words(finding, clip) ?? "")])
            }
            let frames = frames(offset, ofClip: place + 1)
            return source.adding([
                "offset": .number(offset.seconds), "by": .text(means.rawValue), "confidence": .number(confidence),
                "frames": .integerOrNull(frames.map { Int($0.count) }),
                "frames-offset": .numberOrNull(frames?.time.seconds),
            ])
        }
        return JSONWriter.text(
            ["reference": .text(clips[0].shown), "others": .list(list)], escaping: .unprintable)
    }

    /// Returns why a clip has no offset. nil if it has one.
    private func words(_ finding: Finding, _ clip: AlignClip) -> String? {
        switch finding {
        case .found: return nil
        case .failed(let trouble): return trouble.what
        case .refused(let refusals):
            let reference = clips[0].shown
            if refusals.isEmpty { return "not aligned with \(reference): \(lack)" }
            let reasons = refusals.map { "by \($0.by.rawValue): \(words($0.why))" }
            return "not aligned with \(reference): \(reasons.joined(separator: "; "))"
        }
    }

    private var lack: String {
        switch means {
        case .sound?: "one of them has no sound"
        case .frames?: "one of them has no video"
        case nil: "one has only sound, and the other only video"
        }
    }

    private func words(_ reason: Refusal.Reason) -> String {
        switch reason {
        case .unread(let trouble): "one of them can't be read: \(trouble.what)"
        case .judged(.tooShort): "less than a second or so of it"
        case .judged(.tooEven): "too even (silence, a tone, black, a still frame)"
        case .judged(.tooFew): "too few changes to be sure"
        case .judged(.unrelated): "they have nothing in common"
        case .judged(.repeats(let one, let other)):
            "it repeats: offset \(fixed(one.seconds, 3)) s fits, and so does \(fixed(other.seconds, 3)) s"
        }
    }
}
