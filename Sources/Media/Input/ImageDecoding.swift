import Threads

/// Lets one image be decoded at a time: the largest take half a gigabyte until they are scaled.
enum ImageDecoding {
    private static let places = Locked(1)
    private static let placeIsFree = WakeCondition()

    static func inTurn<Result, Failure: Error>(_ decode: () throws(Failure) -> Result) throws(Failure) -> Result {
        places.wait(on: placeIsFree) { places -> Wait<Void> in
            guard places > 0 else { return .again(deadline: nil) }
            places -= 1
            return .done(())
        }
        defer {
            places.locked { $0 += 1 }
            placeIsFree.wake()
        }
        return try decode()
    }
}
