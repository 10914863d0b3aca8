import Base
import Measurement
import Media

// Lines and JSON that `align` prints.
extension Alignment {
    private var others: [(clip: AlignClip, finding: Finding)] { Array(zip(clips.dropFirst(), findings)) }

    /// Offsets of all clips but the first, in their order; nil if one is unknown.
    var offsets: [Time]? {
        let found = findings.compactMap { finding -> Time? in
            if case .found(let offset, _, _, _) = finding { offset } else { nil }
        }
        return found.count == findings.count ? found : nil
    }

    /// Lines for standard output, one for each offset that was found.
    var lines: [String] {
        others.compactMap { clip, finding in
            guard case .found(let offset, let frames, let confidence, let means) = finding else { return nil }
            let side = offset == .zero ? "in step" : offset > .zero ? "ahead" : "behind"
            let percent = Int((confidence * 100).rounded())
            return "\(clip.shown): offset \(fixed(offset.seconds, 4)) s (\(side)), by \(means.rawValue), confidence "
                + "\(percent) %\(words(frames))"
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
        let known =
            referenceTrouble.map { [(clips[0], $0.what)] }
            ?? others.compactMap { clip, finding in
                lack(of: finding).map { (clip, $0) }
            }
        return known.map { clip, what in "quadrille: \(clip.shown): \(what)" }
    }

    var json: String {
        let list = others.map { clip, finding -> PropertyValue in
            guard case .found(let offset, let frames, let confidence, let means) = finding else {
                return [
                    "source": .text(clip.shown), "offset": .null, "what": .text(lack(of: finding) ?? ""),
                ]
            }
            return [
                "source": .text(clip.shown), "offset": .number(offset.seconds), "by": .text(means.rawValue),
                "confidence": .number(confidence), "frames": .integerOrNull(frames.map { Int($0.count) }),
                "frames-offset": .numberOrNull(frames?.time.seconds),
            ]
        }
        return JSONWriter.text(
            ["reference": .text(clips[0].shown), "others": .list(list)], escaping: .unprintable)
    }

    /// Returns why a clip has no offset. nil if it has one.
    private func lack(of finding: Finding) -> String? {
        switch finding {
        case .found: return nil
        case .failed(let trouble): return trouble.what
        case .refused(let reasons):
            let known = reasons.isEmpty ? lackOfMeans : reasons.joined(separator: "; ")
            return "not aligned with \(clips[0].shown): \(known)"
        }
    }

    private var lackOfMeans: String {
        switch means {
        case .sound?: "one of them has no sound"
        case .frames?: "one of them has no video"
        case nil: "one has only sound, and the other only video"
        }
    }
}

extension AlignRefusal {
    var words: String {
        switch self {
        case .tooShort: "less than a second or so of it"
        case .tooEven: "too even (silence, a tone, black, a still frame)"
        case .tooFew: "too few changes to be sure"
        case .unrelated: "they have nothing in common"
        case .repeats(let one, let other):
            "it repeats: offset \(fixed(one.seconds, 3)) s fits, and so does \(fixed(other.seconds, 3)) s"
        }
    }
}
