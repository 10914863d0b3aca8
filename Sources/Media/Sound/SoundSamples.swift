import Base

/// Source of a voice's samples: a file or a sound input. Owned by one thread at a time.
protocol SoundSamples: AnyObject {
    var trackCount: Int { get }
    /// One past the last sample; nil if it is unknown, or if there is none.
    var end: Int64? { get }
    /// True once samples were no numbers or absurd, and were replaced or limited.
    var hasMended: Bool { get }
    /// True if nothing was read for so long that it must be opened anew.
    var isStale: Bool { get }

    /// The next block begins at `sample`, or later where the sound does. `ahead`: number of samples until it is heard.
    func seek(to sample: Int64, heardIn ahead: Int64) throws(SourceTrouble)
    func next() throws(SourceTrouble) -> SoundReader.Step
}
