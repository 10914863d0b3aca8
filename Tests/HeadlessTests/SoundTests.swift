import Expectations
import TestKit
import Testing

/// The mix of a wall.
@Suite struct Sounds {
    @Test(arguments: [
        (Witness.Codec.h264, Witness.Container.mp4, Witness.SoundCodec.aac), (.vp9, .webm, .libopus),
        (.h264, .mp4, .libmp3lame), (.h264, .mkv, .flac), (.mpeg4, .avi, .pcm),
    ])
    func aLoopedToneKeepsItsPhase(
        codec: Witness.Codec, container: Witness.Container, sound: Witness.SoundCodec
    ) throws {
        let looped = clip(4) { ($0.codec, $0.container, $0.sound) = (codec, container, sound) }
        let wall = try HeadlessWall(320, 180, [["play": try looped.file()]])
        let heard = try wall.hear(9).trimmed()
        wall.stop()
        expect(heard.seconds, above: 8.9)
        expect(heard.longestSilence(), below: 0.001)
        expect(heard.slip(of: looped.tone), below: 0.001)
    }
}
