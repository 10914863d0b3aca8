import Base

/// The sound to be heard: each sound of a feed that has a seat, with its gain, and the bed.
///
/// Each stem of an item is a part of the scene with a `SoundID` and a voice of its own. All stems of an item share one
/// sample timeline. Key and stems belong to the tile: an item's `sequenced` does not have them, and the tile's item
/// keeps values that were set by hand.
public struct SoundScene: Sendable, Equatable {
    public var parts: [Part] = []
    public var bed: Part?
    /// Delay of the sound after the clocks; negative if it is ahead.
    public var delay = Time.zero
    /// The microphone that the singer hears; nil if none is monitored.
    public var monitored: Monitored?
    /// Title of what the focused tile plays.
    public var title: String

    public init(title: String) { self.title = title }

    /// The parts and the bed.
    public var allParts: [Part] { parts + [bed].compactMap { $0 } }

    /// A sound input that is heard with the least possible delay.
    public struct Monitored: Sendable, Equatable {
        /// Name of the input; nil means the server's default.
        public var input: String?
        public var gain: Float

        public init(input: String?, gain: Float) { (self.input, self.gain) = (input, gain) }

        public enum State: Sendable, Equatable {
            case closed
            /// Open, with a latency that is not known yet.
            case open
            case heard(after: Time)
        }
    }

    public struct Part: Sendable, Equatable {
        public var sound: SoundID
        public var plan: SoundPlan
        /// Zero if it is not heard now, but may be at any time.
        public var gain: StereoGain

        public init(sound: SoundID, plan: SoundPlan, gain: StereoGain) {
            (self.sound, self.plan, self.gain) = (sound, plan, gain)
        }
    }
}
