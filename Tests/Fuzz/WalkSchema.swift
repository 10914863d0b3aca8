import Foundation

@testable import Base
@testable import SimulatedWall

extension Walk {
    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
        .path

    /// The schema of layouts, from the repository.
    static let schema: PropertyValue = {
        let data = FileManager.default.contents(atPath: "\(root)/layouts/layout.schema.json") ?? Data()
        guard let schema = PropertyValue(json: String(decoding: data, as: UTF8.self)) else {
            preconditionFailure("layouts/layout.schema.json is not there, or no JSON")
        }
        return schema
    }()

    /// Text of the actions, one a line.
    static func text(of actions: [WalkAction]) -> String { actions.map(\.text).joined(separator: "\n") + "\n" }

    static func actions(in text: String) -> [WalkAction] {
        text.split(separator: "\n").compactMap { WalkAction(text: String($0)) }
    }
}
