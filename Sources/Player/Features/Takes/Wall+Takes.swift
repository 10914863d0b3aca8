import Base
import Feeds

extension Wall {
    public var takes: Takes { features[Takes.self] }

    /// Notes that takes can be recorded. `isOffered`: true if the key `R` begins a take whatever the layout states.
    public mutating func takesCanBeRecorded(isOffered: Bool) {
        features.change(Takes.self) { $0.canBeRecorded(isOffered: isOffered) }
    }

    /// Called when the recorder is done with a take, and its microphone is closed.
    public mutating func recordingHasEnded(_ number: Int, at now: Time) {
        make(features.change(Takes.self) { $0.sessionHasEnded(number) }, at: now)
        // No recorder takes the frames that are left.
        if takes.session == nil { _ = player.takeRecordedFrames() }
    }

    /// Notes the greatest sample of the microphone since the last call, from 0 to 1.
    public mutating func recordingHas(peak: Float, of number: Int, at now: Time) {
        make(features.change(Takes.self) { $0.note(peak: peak, of: number, at: now) }, at: now)
    }

    /// Returns the frames that came since the last call for the take of this number.
    public mutating func takeRecordedFrames(_ number: Int) -> [TakeFrame] {
        takes.session?.number == number ? player.takeRecordedFrames() : []
    }

    /// Notes that a file was begun, is over, or could not be written. `item`: index in the tile's sequence.
    public mutating func take(
        _ file: String, of session: TakeSession, item: Int = 0, _ state: Event.TakeState, at now: Time
    ) {
        make(features.change(Takes.self) { $0.note(file, of: session, item: item, state) }, at: now)
    }
}
