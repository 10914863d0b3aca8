import Expectations
import Testing

/// Expectations that fail record an issue that shows the values.
@Suite struct ExpectTests {
    /// Expects an issue with this text.
    private func expectIssue(_ text: String, _ body: () -> Void) {
        withKnownIssue {
            body()
        } matching: { issue in
            issue.comments.map(\.rawValue) == [text]
        }
    }

    @Test func whatFailsIsShown() {
        expectIssue("it is false") { expect(1 == 2) }
        expectIssue("it is false: why") { expect(1 == 2, "why") }
        expectIssue("1 does not equal 2: why") { expect(1, equals: 2, "why") }
        expectIssue("2 is not below 2") { expect(2, below: 2) }
        expectIssue("2 is not above 2") { expect(2, above: 2) }
        expectIssue("3 is more than 2") { expect(3, atMost: 2) }
        expectIssue("1 is less than 2") { expect(1, atLeast: 2) }
        expectIssue("nan is more than 2.0") { expect(Double.nan, atMost: 2) }
    }

    @Test func whatHoldsRecordsNothing() {
        expect(true)
        expect(1, equals: 1)
        expect(1, below: 2)
        expect(2, above: 1)
        expect(2, atMost: 2)
        expect(2, atLeast: 2)
    }
}
