import Base

/// Troubles of a source and of the parts that it names, until they are taken. Used by the source's thread.
struct OpeningTroubles {
    /// Reason for which the source, or one of its parts, may not be opened.
    private var refusal: SourceTrouble?
    /// Reason why a part could not be opened; cleared by the next packet.
    private var failure: SourceTrouble?
    /// Reason why the last part could not be opened, if its server is gone.
    private var loss: SourceTrouble?
    /// Damage by parts that could not be opened, since `takeLack`.
    private var lack: FilmDamage?

    mutating func refuse(_ trouble: SourceTrouble) { refusal = trouble }

    /// Notes that more than `most` bytes of an image were read.
    mutating func imageIsTooLarge(most: Int) { refusal = refusal ?? .tooLargeImage(most: most) }

    /// Notes a part that could not be opened. `wasStopped`: true if FFmpeg was told to return.
    mutating func partFailed(_ trouble: SourceTrouble, wasStopped: Bool) {
        lack = FilmDamage(ofParts: trouble)
        if wasStopped { return }
        if trouble.isOfConnection { loss = trouble }
        if failure == nil { failure = trouble }
    }

    mutating func partWasOpened() { loss = nil }

    mutating func partWasRefused(_ reason: NestedOpens.Refusal) {
        lack = .missingParts
        // A demuxer may repeat a request because the file could not be opened.
        let isInsistent = reason == .repeated || reason == .tooMany
        if !isInsistent || failure == nil { refusal = SourceTrouble(reason) }
    }

    /// Notes that a packet came.
    mutating func dataCame() { failure = nil }

    /// Returns damage found since the last call.
    mutating func takeLack() -> FilmDamage? { lack.take() }

    /// Returns the reason why the last part of a list could not be opened, if its server is gone. Returned once.
    mutating func takeLoss() -> SourceTrouble? { loss.take() }

    /// Returns the reason for the last failure since the last call.
    mutating func take() -> SourceTrouble? {
        defer { (refusal, failure) = (nil, nil) }
        return refusal ?? failure
    }
}

extension SourceTrouble {
    /// True if the server is gone or does not answer.
    fileprivate var isOfConnection: Bool { kind == .unreachable || kind == .timeout }
}

extension FilmDamage {
    /// `trouble`: reason why a part of a list could not be opened.
    fileprivate init(ofParts trouble: SourceTrouble) {
        self = trouble.kind == .refused ? .refusedParts : trouble.isOfConnection ? .unreachableParts : .missingParts
    }
}

extension SourceTrouble {
    fileprivate init(_ refusal: NestedOpens.Refusal) {
        switch refusal {
        case .scheme(let scheme): self.init(.refused, "it names a source that may not be opened from there: \(scheme):")
        case .notAFile: self.init(.missing, "it names a file that is not there")
        case .outsideItsFolder: self.init(.refused, "it names a file outside its folder")
        case .repeated:
            self.init(.damaged, "a list names itself, or a missing file, repeatedly")
        case .tooMany: self.init(.damaged, "it names too many lists")
        }
    }
}
