import Expectations
import Foundation
import Layout
import TestKit
import Testing

extension WallTests {
    /// Schedules in each second of three years, compared with another implementation (Python, with dateutil's time
    /// zones).
    @Suite struct ScheduleOracle {
        private static let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]

        /// Returns random entries of days, times and dates. Some times lie in the hours in which clocks change.
        private func entries(_ random: inout SeededNumbers) -> [[String: Any]] {
            func time(_ latest: Int) -> String {
                let hour = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 1...3, using: &random) : nil
                let second =
                    (hour ?? Int.random(in: 0...23, using: &random)) * 3600 + Int.random(in: 0..<3600, using: &random)
                let fields = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
                if Int.random(in: 0...9, using: &random) == 0 { return latest == 24 ? "24:00" : "00:00" }
                return fields.prefix(Bool.random(using: &random) ? 2 : 3).joined(separator: ":")
            }
            let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
            return (0..<Int.random(in: 1...5, using: &random)).map { number in
                var entry: [String: Any] = ["name": "\(number)", "show": "\(number).json"]
                if Int.random(in: 0...3, using: &random) > 0 {
                    let parts = (0..<Int.random(in: 1...2, using: &random)).map { _ -> String in
                        let (a, b) = (names.randomElement(using: &random)!, names.randomElement(using: &random)!)
                        return Bool.random(using: &random) ? a : "\(a)-\(b)"
                    }
                    entry["days"] = parts.joined(separator: ",")
                }
                if Int.random(in: 0...2, using: &random) == 0 {
                    entry["dates"] = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        let month = Int.random(in: 1...12, using: &random), day = Int.random(in: 1...28, using: &random)
                        return
                            "\(2026 + Int.random(in: 0...2, using: &random))-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
                    }
                }
                if Int.random(in: 0...3, using: &random) > 0 { entry["from"] = time(0) }
                if Int.random(in: 0...3, using: &random) > 0 { entry["to"] = time(24) }
                if entry["from"] as? String == entry["to"] as? String { entry["to"] = "24:00" }
                return entry
            }
        }

        @Test(arguments: zones) func everySecondOfThreeYearsIsAsTheOtherSaysIt(_ name: String) throws {
            let zone = try #require(TimeZone(identifier: name))
            let local = LocalTime { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
            // 2026-01-01 to 2029-01-01, UTC.
            let years = 1_767_225_600..<1_861_920_000
            var random = SeededNumbers(18)
            var cases: [[String: Any]] = []
            for number in 0..<1000 {
                let written = entries(&random)
                let data = try JSONSerialization.data(withJSONObject: ["tiles": [["play": "a"]], "schedule": written])
                guard case .layout(let layout) = LayoutReader.read([UInt8](data), path: "wall.json") else {
                    Issue.record("not read: \(String(decoding: data, as: UTF8.self))")
                    continue
                }
                // A few cases span all three years, the others five weeks, some of them with a clock change.
                let begin = years.lowerBound + Int.random(in: 0..<1060, using: &random) * 86_400 + 12_345
                let instants = number < 12 ? years : begin..<begin + 35 * 86_400
                let shown = try #require(layout.schedule).stretches(in: instants, local).map {
                    [$0.instants.lowerBound, $0.instants.upperBound, $0.entry ?? -1]
                }
                cases.append(["schedule": written, "shown": shown])
            }
            let file = try Scratch.file(
                "schedules.json", String(decoding: try JSONSerialization.data(withJSONObject: cases), as: UTF8.self))
            let python = try Python.with([("dateutil", "python-dateutil")])
            let reported = try run([python, "-c", Self.script, name, file])
            expect(reported, equals: "1000 schedules are the same\n")
        }

        /// Computes the local time of each second once. A time has come when the clock first shows that time or a later
        /// one.
        private static let script = """
            import bisect, datetime, json, sys
            from dateutil import tz
            zone, UTC = tz.gettz(sys.argv[1]), datetime.timezone.utc
            START, END = 1767225600 - 4 * 86400, 1861920000 + 4 * 86400
            def shown(second):
                there = datetime.datetime.fromtimestamp(second, UTC).astimezone(zone)
                return second + int(there.utcoffset().total_seconds())
            # Zones change at quarters of an hour: the highest time that was shown up to each of them.
            quarters = range(START, END + 1, 900)
            ahead = [shown(q) - q for q in quarters]
            highest, top = [], -1
            for q, a in zip(quarters, ahead):
                highest.append(top)           # shown before this quarter
                top = max(top, q + 899 + a)
            def comes(local):
                i = bisect.bisect_left(highest, local) - 1   # the quarter in which it is first reached
                return max(quarters[i], local - ahead[i])
            EPOCH, DAYS = datetime.date(1970, 1, 1), ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
            def seconds(text, unsaid):
                if text is None: return unsaid
                parts = [int(p) for p in text.split(':')] + [0]
                return parts[0] * 3600 + parts[1] * 60 + parts[2]
            def weekdays(text):
                found = set()
                for part in text.split(','):
                    ends = [DAYS.index(p) for p in part.split('-')]
                    length = (ends[-1] - ends[0]) % 7
                    found |= {(ends[0] + k) % 7 for k in range(length + 1)}
                return found
            same = 0
            for case in json.load(open(sys.argv[2])):
                first, last = case['shown'][0][0], case['shown'][-1][1]
                spans = [[] for _ in case['schedule']]
                for number, entry in enumerate(case['schedule']):
                    dates = {datetime.date.fromisoformat(d) for d in entry.get('dates', [])}
                    days = weekdays(entry['days']) if 'days' in entry else set() if dates else set(range(7))
                    start, end = seconds(entry.get('from'), 0), seconds(entry.get('to'), 86400)
                    day = datetime.date.fromtimestamp(first) - datetime.timedelta(3)
                    while day <= datetime.date.fromtimestamp(last) + datetime.timedelta(3):
                        if day.weekday() in days or day in dates:
                            midnight = (day - EPOCH).days * 86400
                            a = comes(midnight + start)
                            b = comes(midnight + end + (86400 if end <= start else 0))
                            if a < b: spans[number].append((a, b))
                        day += datetime.timedelta(1)
                edges = sorted({first, last} | {e for all in spans for s in all for e in s if first < e < last})
                result, at = [], [0] * len(spans)
                for a, b in zip(edges, edges[1:]):
                    showing = -1
                    for n in reversed(range(len(spans))):
                        while at[n] < len(spans[n]) and spans[n][at[n]][1] <= a: at[n] += 1
                        if at[n] < len(spans[n]) and spans[n][at[n]][0] <= a: showing = n
                    if result and result[-1][2] == showing: result[-1][1] = b
                    else: result.append([a, b, showing])
                if result == case['shown']: same += 1
                else: print('not the same:', case['schedule'], [p for p in zip(result, case['shown']) if p[0] != p[1]][:2])
            print(same, 'schedules are the same')
            """
    }
}
