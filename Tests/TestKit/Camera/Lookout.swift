import Foundation

/// Compares a few small places of a display with expected colours. Cheaper than a camera, so that it can look often
/// beside a program that is measured. Used by one thread at a time.
public final class Lookout {
    /// A place of the screen, and its expected colours.
    public struct Spot {
        public let area: Area
        let expected: [Colour]
        let tolerance: Double

        /// `colour` returns the expected colour of a pixel, by its place on the screen. `within`: largest mean
        /// difference. The default allows for programs that scale and convert by other formulas.
        public init(_ area: Area, within tolerance: Double = 24, _ colour: (_ x: Int, _ y: Int) -> Colour) {
            (self.area, self.tolerance) = (area, tolerance)
            var expected: [Colour] = []
            for y in area.y..<area.y + area.height {
                for x in area.x..<area.x + area.width { expected.append(colour(x, y)) }
            }
            self.expected = expected
        }

        func fits(_ pixels: Pixels) -> Bool {
            var (sum, index) = (0, 0)
            for y in area.y..<area.y + area.height {
                for x in area.x..<area.x + area.width {
                    sum += pixels.colour(x, y).distance(to: expected[index])
                    index += 1
                }
            }
            return Double(sum) < tolerance * Double(expected.count)
        }
    }

    private let spots: [Spot]
    private let lenses: [Lens]

    public init(_ display: Display, _ spots: [Spot]) throws {
        self.spots = spots
        lenses = try spots.map { try Lens(display, $0.area) }
    }

    /// Looks once. True for each place that matches.
    public func look() -> [Bool] { zip(spots, lenses).map { $0.fits($1.look()) } }

    /// Waits until each place has matched once, in order. Returns the time; nil after a timeout. Looks every two
    /// milliseconds, at one place at a time, to leave the machine to the program that is measured.
    public func wait(atMost limit: Double) -> Double? {
        var seen = 0
        let isAll = RealTime.watch(atMost: limit, every: 0.002) {
            while seen < spots.count, spots[seen].fits(lenses[seen].look()) { seen += 1 }
            return seen == spots.count
        }
        return isAll ? RealTime.now : nil
    }
}
