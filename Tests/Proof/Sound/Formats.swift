import TestKit

/// The five formats of the looped tone.
enum Formats {
    static let all: [(name: String, clip: Witness)] = [
        ("AAC in MP4", sung(.h264, .mp4, .aac)), ("Opus in WebM", sung(.vp9, .webm, .libopus)),
        ("MP3 in MP4", sung(.h264, .mp4, .libmp3lame)), ("FLAC in Matroska", sung(.h264, .mkv, .flac)),
        ("PCM in AVI", sung(.mpeg4, .avi, .pcm)),
    ]

    /// A clip of two seconds, in which the tone makes whole cycles.
    private static func sung(
        _ codec: Witness.Codec, _ container: Witness.Container, _ sound: Witness.SoundCodec
    ) -> Witness {
        clip(4).with { ($0.codec, $0.container, $0.sound) = (codec, container, sound) }
    }

    static func clip(_ id: Int) -> Witness {
        Witness(id).with { ($0.width, $0.height, $0.frames) = (1280, 720, 60) }
    }
}
