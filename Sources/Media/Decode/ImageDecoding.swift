import Threads

/// Lets two images be decoded at a time: one of the largest size takes a quarter of a gigabyte until it is scaled.
enum ImageDecoding {
    private static let places = Monitor(2)
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
