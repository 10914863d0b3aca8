import Expectations
import Testing

@testable import Layout

/// A time zone an hour ahead of UTC, and two hours from 1 June to 1 December 1970, 01:00 UTC each. Clocks jump from
/// 02:00 to 03:00 and back from 03:00 to 02:00.
private let zone = LocalTime { instant in
    let summer = day(1970, 6, 1) * 86_400 + 3600..<day(1970, 12, 1) * 86_400 + 3600
    return summer.contains(instant) ? 7200 : 3600
}

private func day(_ year: Int, _ month: Int, _ day: Int) -> Int { CivilDate(year: year, month: month, day: day)!.day }

private func seconds(_ hour: Int, _ minute: Int, _ second: Int = 0) -> Int { (hour * 60 + minute) * 60 + second }

@Test(arguments: [
    (0, 1970, 1, 1, "thu"), (59, 1970, 3, 1, "sun"), (-1, 1969, 12, 31, "wed"), (11_016, 2000, 2, 29, "tue"),
    (20_816, 2026, 12, 29, "tue"), (-719_468, 0, 3, 1, "wed"),
])
func daysAreCountedAsTheCalendarDoes(_ number: Int, _ year: Int, _ month: Int, _ day: Int, _ weekday: String) {
    let date = CivilDate(year: year, month: month, day: day)
    expect(date?.day == number && date?.weekday.name == weekday)
    expect(CivilDate(day: number).parts == (year, month, day))
}

@Test func everyDayOfEightHundredYearsComesBack() {
    var before = CivilDate(year: 1599, month: 12, day: 31)!
    while before.parts.year < 2400 {
        let date = before + 1, (year, month, day) = date.parts
        expect(CivilDate(year: year, month: month, day: day), equals: date)
        expect(day == before.parts.day + 1 || (day == 1 && before.parts.day >= 28))
        before = date
    }
}

@Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-32", "26-01-01", "2026-1-1", "2026-01-01 ", "", "+026-01-01",
])
func whatIsNoDayIsNotRead(_ text: String) { expect(CivilDate(text: text), equals: nil) }

@Test func aTimeThatTheClocksLeaveOutIsWhereTheGapEnds() {
    let june = CivilDate(year: 1970, month: 6, day: 1)!, jump = june.day * 86_400 + 3600
    expect(zone.instant(june, seconds(1, 59, 59)), equals: jump - 1)
    for time in [seconds(2, 0), seconds(2, 30), seconds(2, 59, 59), seconds(3, 0)] {
        expect(zone.instant(june, time), equals: jump)
    }
    expect(zone.instant(june, seconds(3, 0, 1)), equals: jump + 1)
}

@Test func aTimeThatComesTwiceIsItsFirstComing() {
    let december = CivilDate(year: 1970, month: 12, day: 1)!, back = december.day * 86_400 + 3600
    expect(zone.instant(december, seconds(2, 0)), equals: back - 3600)
    expect(zone.instant(december, seconds(2, 59, 59)), equals: back - 1)
    expect(zone.instant(december, seconds(3, 0)), equals: back + 3600)
    expect(zone.clock(at: back - 1) == (december, seconds(2, 59, 59)))
    expect(zone.clock(at: back) == (december, seconds(2, 0)))
}

@Test func anEntryThatTheClocksLeaveOutIsNotShown() {
    let june = CivilDate(year: 1970, month: 6, day: 1)!
    let schedule = Schedule(entries: [
        .init(name: "gone", from: seconds(2, 10), to: seconds(2, 50), shows: .layout("a.json"))
    ])
    let around = zone.instant(june, 0)..<zone.instant(june, 86_400)
    expect(around.count, equals: 23 * 3600)
    expect(schedule.stretches(in: around, zone).map(\.entry), equals: [nil])
    let out = schedule.leftOut(in: around, zone)
    expect(out.map(\.entry) == [0] && out.map(\.date) == [june])
    // The entry applies again the day after.
    expect(schedule.entry(at: zone.instant(june + 1, seconds(2, 10)), zone), equals: 0)
}

@Test func theFirstEntryThatAppliesIsShown() {
    let monday = CivilDate(year: 1971, month: 1, day: 4)!
    let schedule = Schedule(entries: [
        .init(
            name: "holiday", days: .init(weekdays: [], dates: [monday + 1]), from: seconds(6, 0), to: seconds(12, 0),
            shows: .layout("a")),
        .init(name: "night", from: seconds(22, 0), to: seconds(6, 0), shows: .displayOff(cec: false)),
        .init(name: "week", days: .init(weekdays: [.monday, .tuesday]), shows: .layout("b")),
    ])
    func shown(_ days: Int, _ hour: Int, _ minute: Int, _ second: Int = 0) -> Int? {
        schedule.entry(at: zone.instant(monday + days, seconds(hour, minute, second)), zone)
    }
    expect(shown(0, 5, 59, 59), equals: 1)
    expect(shown(0, 6, 0), equals: 2)
    expect(shown(0, 21, 59, 59), equals: 2)
    expect(shown(0, 22, 0), equals: 1)
    expect(shown(1, 5, 59, 59), equals: 1)
    expect(shown(1, 6, 0), equals: 0)
    expect(shown(1, 12, 0), equals: 2)
    expect(shown(2, 12, 0), equals: nil)
    expect(
        schedule.change(after: zone.instant(monday + 2, seconds(6, 0)), within: 86_400, zone),
        equals: zone.instant(monday + 2, seconds(22, 0)))
    expect(schedule.change(after: zone.instant(monday + 2, seconds(6, 0)), within: 3600, zone), equals: nil)
}

@Test func overMidnightItBelongsToTheDayOnWhichItBegins() {
    // New Year's Eve of 1970 is a Thursday.
    let eve = CivilDate(year: 1970, month: 12, day: 31)!
    let schedule = Schedule(entries: [
        .init(
            name: "eve", days: .init(weekdays: [.thursday]), from: seconds(22, 0), to: seconds(3, 0),
            shows: .layout("a"))
    ])
    let begin = zone.instant(eve, seconds(22, 0)), end = zone.instant(eve + 1, seconds(3, 0))
    let around = begin - 7200..<end + 7200
    expect(
        schedule.stretches(in: around, zone),
        equals: [
            .init(instants: begin - 7200..<begin, entry: nil), .init(instants: begin..<end, entry: 0),
            .init(instants: end..<end + 7200, entry: nil),
        ])
    expect(zone.text(at: begin), equals: "thu 1970-12-31 22:00:00")
    expect(zone.iso(at: begin), equals: "1970-12-31T22:00:00+01:00")
}

@Test func aScheduleIsReadAsItIsWritten() {
    let text = """
        {"tiles": [{"play": "a.mp4"}], "schedule": [
          {"name": "night", "days": "mon - fri,SUN", "from": "22:00", "to": "06:00:30", "dates": ["2026-12-24"],
           "show": "night.json"},
          {"days": "sat-mon", "show": "/abs/b.json"}, {"dates": ["2026-12-25"], "display": "off", "cec": true},
          {"to": "24:00", "display": "off"}]}
        """
    guard case .layout(let layout) = LayoutReader.read([UInt8](text.utf8), path: "walls/wall.json") else {
        Issue.record("it was not read")
        return
    }
    let christmas = CivilDate(year: 2026, month: 12, day: 24)!
    expect(
        layout.schedule?.entries,
        equals: [
            .init(
                name: "night",
                days: .init(
                    weekdays: [.monday, .tuesday, .wednesday, .thursday, .friday, .sunday], dates: [christmas]),
                from: seconds(22, 0), to: seconds(6, 0, 30), shows: .layout("walls/night.json")),
            .init(
                name: "b.json", days: .init(weekdays: [.saturday, .sunday, .monday]), shows: .layout("/abs/b.json")),
            .init(name: "off", days: .init(weekdays: [], dates: [christmas + 1]), shows: .displayOff(cec: true)),
            .init(name: "off", shows: .displayOff(cec: false)),
        ])
}

@Test func anEntryThatEndsAsItBeginsIsOnForADay() {
    let text = """
        {"tiles": [{"play": "a.mp4"}], "schedule": [
          {"days": "mon", "from": "06:00", "to": "06:00", "show": "b.json"}, {"days": "thu", "to": "00:00", "show": "c"}]}
        """
    guard case .layout(let layout) = LayoutReader.read([UInt8](text.utf8), path: "wall.json") else {
        Issue.record("it was not read")
        return
    }
    let monday = CivilDate(year: 1971, month: 1, day: 4)!
    let begin = zone.instant(monday, seconds(6, 0)), end = zone.instant(monday + 1, seconds(6, 0))
    let around = begin - 60..<zone.instant(monday + 5, 0)
    let thursday = zone.instant(monday + 3, 0)..<zone.instant(monday + 4, 0)
    expect(
        layout.schedule?.stretches(in: around, zone),
        equals: [
            .init(instants: begin - 60..<begin, entry: nil), .init(instants: begin..<end, entry: 0),
            .init(instants: end..<thursday.lowerBound, entry: nil), .init(instants: thursday, entry: 1),
            .init(instants: thursday.upperBound..<around.upperBound, entry: nil),
        ])
}
