import Base

/// Troubles of a source and of the parts that it names, until they are taken. Used by the source's thread.
struct OpeningTroubles {
    /// Reason for which the source, or one of its parts, may not be opened.
    var refusal: SourceTrouble?
    /// Reason why a part could not be opened; cleared by the next packet.
    var failure: SourceTrouble?
    /// Reason why the last part of a list could not be opened, if its server is gone.
    var loss: SourceTrouble?
    /// Damage by parts that could not be opened.
    var lack: FilmDamage?

    /// Notes a part that could not be opened. `wasStopped`: true if FFmpeg was told to return.
    mutating func partFailed(_ trouble: SourceTrouble, wasStopped: Bool) {
        lack = trouble.kind == .refused ? .refusedParts : trouble.isOfConnection ? .unreachableParts : .missingParts
        if wasStopped { return }
        if trouble.isOfConnection { loss = trouble }
        if failure == nil { failure = trouble }
    }

    mutating func partWasRefused(_ reason: NestedOpens.Refusal) {
        lack = .missingParts
        // A demuxer may repeat a request because the file could not be opened.
        let isInsistent = reason == .repeated || reason == .tooMany
        if !isInsistent || failure == nil { refusal = SourceTrouble(reason) }
    }

    /// Returns the reason for the last failure since the last call.
    mutating func take() -> SourceTrouble? {
        defer { (refusal, failure) = (nil, nil) }
        return refusal ?? failure
    }
}

extension SourceTrouble {
    /// True if the server is gone or does not answer.
    fileprivate var isOfConnection: Bool { kind == .unreachable || kind == .timeout }

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
