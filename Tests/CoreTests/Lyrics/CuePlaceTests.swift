import Expectations
import Testing

@testable import Lyrics

struct CuePlaceTests {
    @Test(arguments: [
        ("line:0", 8), ("line:10%", 8), ("line:50%,center", 5), ("line:90%", 2), ("line:-1", 2), ("line:-15", 8),
        ("line:7", 5), ("position:10% line:5% align:start", 7), ("align:end line:84.5%", 3), ("align:left line:40%", 4),
        ("line:nan line:0", 8), ("line:0\talign:odd", 8),
    ])
    func aCueStandsWhereItsLineSays(settings: String, alignment: Int) {
        expect(CuePlace(settings: settings)?.alignment, equals: alignment)
    }

    @Test(arguments: ["", "align:start", "position:50%", "line:", "line:auto", "line:inf%", "line", ":0"])
    func withoutALineItStandsWhereAllOthersDo(settings: String) {
        expect(CuePlace(settings: settings), equals: nil)
    }
}
