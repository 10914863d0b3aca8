import Testing

@testable import WallCore

@Suite struct TableTests {
    /// A table beside a dictionary, through thousands of changes.
    @Test func whatIsAddedIsFoundUntilItIsRemovedAndNeverAgain() {
        var table = Table<FeedID, String>()
        var known: [FeedID: String] = [:]
        var gone: Set<FeedID> = []
        var random = SystemRandomNumberGenerator()
        for round in 0..<3000 {
            if known.count < 20 || Bool.random(using: &random) {
                let id = table.add { "\($0.number) of round \(round)" }
                #expect(known[id] == nil && !gone.contains(id))
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
        #expect(table.count == known.count && table.ids == known.keys.sorted())
        for (id, element) in known { #expect(table[id] == element && table.contains(id)) }
        #expect(Array(table) == table.ids.map { table[$0] })
        for id in gone { #expect(!table.contains(id)) }
        #expect(!table.contains(-1))
        #expect(table.firstID { $0 == known[table.ids[7]] } == table.ids[7])
    }
}
