import Expectations
import Testing

@testable import Base
@testable import Player

@Suite struct TableTests {
    /// Compares a table with a dictionary through thousands of changes.
    @Test func whatIsAddedIsFoundUntilItIsRemovedAndNeverAgain() {
        var table = Table<FeedID, String>(missing: "")
        var known: [FeedID: String] = [:]
        var gone: Set<FeedID> = []
        var random = SystemRandomNumberGenerator()
        for round in 0..<3000 {
            if known.count < 20 || Bool.random(using: &random) {
                let id = table.add { "\($0.number) of round \(round)" }
                expect(known[id] == nil && !gone.contains(id))
                known[id] = table[id]
            } else if let id = known.keys.randomElement(using: &random) {
                table.remove(id)
                known[id] = nil
                gone.insert(id)
            }
            if let id = known.keys.randomElement(using: &random) {
                table[id] += "+"
                known[id]! += "+"
            }
        }
        expect(table.count == known.count && table.ids == known.keys.sorted())
        for (id, element) in known { expect(table[id] == element && table.contains(id)) }
        expect(Array(table), equals: table.ids.map { table[$0] })
        for id in gone { expect(!table.contains(id)) }
        expect(!table.contains(-1))
        expect(table.firstID { $0 == known[table.ids[7]] }, equals: table.ids[7])
        expect(table.missCount, equals: 0)
    }

    @Test func whatIsGoneReadsAsTheMissingElementAndIsCounted() {
        var table = Table<FeedID, [Int]>(missing: [7])
        let id = table.add { _ in [1] }
        table.remove(id)
        table[id].append(2)
        expect(table[id] == [7] && table.count == 0)
        table.remove(id)
        expect(table.missCount, equals: 3)
    }

    /// Comparing an optional with a payload through a `_read` accessor can read freed memory.
    @Test func optionalsWithPayloadsAreComparedThroughTheSubscript() {
        struct Element { var trouble: [String]? }
        var table = Table<FeedID, Element>(missing: Element())
        let ids = (0..<100).map { number in table.add { _ in Element(trouble: ["\(number)", "x"]) } }
        for round in 0..<100 {
            for id in ids {
                expect(table[id].trouble == ["\(id.number)", "x"] || round > 0)
                table[id].trouble = ["\(id.number)", "\(round)"]
                expect(table[id].trouble != nil && table[id].trouble != ["x"])
            }
        }
    }
}
