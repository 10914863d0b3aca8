import Base
import Expectations
import Glibc
import Testing

@testable import SimulatedWall

/// The text is the same as C's, for any bits.
@Test func sixDecimalsAreThoseOfC() {
    var numbers = Seeded(state: 3)
    let limits: [Double] = [
        0, -0.0, 0.5e-6, 1.5e-6, 2.5e-6, 0.0000005, 0.9999995, 999_999.9999995, 1e15, 1e17, 1e22, 0.1, 1 / 3,
        .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_993, .infinity,
        -.infinity, .nan, 0x1p52, 0x1p53, 0x1p-20, 0x1.8p-20, 0x1p-75, 0x1p-76,
    ]
    let any = (0..<5000).map { _ in Double(bitPattern: numbers.next()) }
    let usual = (0..<5000).map { _ in Double.random(in: -1e5...1e5, using: &numbers) }
    let ties = (0..<5000).map { _ in Double(numbers.upTo(1 << 20)) / 0x1p20 }
    for number in limits + any + usual + ties {
        var buffer = [CChar](repeating: 0, count: 352)
        _ = withVaList([number]) { vsnprintf(&buffer, buffer.count, "%f", $0) }
        let reported = String(cString: buffer)
        expect(number.sixDecimals, equals: (number.isNaN ? "nan" : reported), "\(number.bitPattern)")
    }
}
