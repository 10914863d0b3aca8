import Base
import Expectations
import Testing

@Test(
    arguments: [
        ("0", 0), ("5", 5000), ("83.5", 83_500), ("1:23.5", 83_500), ("0:09", 9000), ("0:9", 9000),
        ("1:02:03", 3_723_000),
        ("90:00", 5_400_000), ("100:00:00.001", 360_000_001), ("007", 7000), ("-1:30", -90_000), ("-0.25", -250),
        ("100000000", 100_000_000_000),
    ] as [(String, Int64)])
func aTimeIsReadAsPeopleWriteIt(_ text: String, _ milliseconds: Int64) {
    expect(Time(text: text), equals: .milliseconds(milliseconds))
}

@Test(arguments: [
    "", " ", "-", ":", "1:", ":30", "1:60", "60:60", "1:2:3:4", "1:60:00", "1:005", "1.", ".5", "1.5.5", "1.5:30",
    "1,5", "1e3", "+5", "--5", " 5", "5s", "١", "1:-3", "nan", "inf", "0x10", "100000000.1",
    "99999999999999999999", "99999999:00:00",
])
func whatIsNoTimeIsNotRead(_ text: String) {
    expect(Time(text: text), equals: nil)
}

@Test func fractionsOfASecondAreExact() {
    expect(Time(text: "0.04"), equals: Time(1, ofUnits: 1, over: 25))
    expect(Time(text: "0.033333333333333333333"), equals: Time(1, ofUnits: 1, over: 30))
}
