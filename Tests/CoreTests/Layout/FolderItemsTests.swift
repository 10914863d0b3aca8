import Expectations
import Testing

@testable import Base
@testable import Layout

/// Folders that a layout plays.
@Suite struct FolderItemsTests {
    private func read(_ text: String) throws -> Layout {
        guard case .layout(var layout) = LayoutReader.read([UInt8](text.utf8), path: "wall.json") else {
            throw Unread()
        }
        layout.expandFolders { $0 == "spots" || $0 == "spots/" ? ["spots/1.mp4", "spots/2.mp4"] : nil }
        return layout
    }

    private struct Unread: Error {}

    @Test func aFolderThatIsComparedIsASequenceToo() throws {
        let layout = try read(
            """
            {"tiles": [{"id": "ab", "compare": ["spots/", {"src": "b.mp4", "offset": 1}]}]}
            """)
        expect(
            layout.playingTiles.map { $0.play.map { $0.segments[0].source } },
            equals: [
                ["spots/1.mp4", "spots/2.mp4"], ["b.mp4"],
            ])
        expect(layout.playingTiles.map(\.id) == ["ab/1", "ab/2"] && layout.playingTiles[1].offset == .seconds(1))
    }

    /// Output must not overwrite these files.
    @Test func comparedSourcesAreFilesOfTheLayout() throws {
        let layout = try read(#"{"tiles": [{"compare": ["spots/", "./b.mp4"]}, {"play": "c.mp4"}]}"#)
        expect(layout.files, equals: ["spots/1.mp4", "spots/2.mp4", "./b.mp4", "c.mp4"])
    }
}
