import Expectations
import Foundation
import Testing

@testable import Base
@testable import Layout

private let schemaFile = ManualPage.repository.appendingPathComponent("layouts/layout.schema.json")

private func schema() throws -> [String: Any] {
    let data = try Data(contentsOf: schemaFile)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
}

@Test func theSchemaKnowsEveryObjectOfALayout() throws {
    let definitions = try #require(try schema()["$defs"] as? [String: [String: Any]])
    let objects = definitions.filter { $0.value["properties"] != nil }.map(\.key)
    expect(Set(objects + ["layout"]), equals: Set(LayoutObject.allCases.map(\.rawValue)))
}

@Test(arguments: LayoutObject.allCases)
func theSchemaHasTheKeysThatAreRead(_ object: LayoutObject) throws {
    let schema = try schema()
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    let definition = object == .layout ? schema : try #require(definitions[object.rawValue])
    let properties = try #require(definition["properties"] as? [String: Any])
    expect(Set(properties.keys), equals: Set(object.keys))
    expect(definition["additionalProperties"] as? Bool, equals: false)
    expect((definition["patternProperties"] as? [String: Bool])?.keys.sorted(), equals: ["^(\\$schema$|x-)"])
    for key in object.keys {
        let property = try #require(properties[key] as? [String: Any])
        let isStated = property["description"] != nil || property["$ref"] != nil
        expect(isStated, "\(key) of \(object) has no description")
    }
}

@Test func theSchemaIsMadeFromTheDeclaredFields() throws {
    let text = try String(contentsOf: schemaFile, encoding: .utf8)
    for (line, made) in zip(text.split(separator: "\n"), LayoutSchema.lines) where line != made {
        Issue.record("make schema would write \(made) for \(line)")
        return
    }
    expect(text, equals: LayoutSchema.lines.joined(separator: "\n") + "\n", "make schema")
}

@Test func theSchemaKnowsTheURLsThatAreOpened() throws {
    let definitions = try #require(try schema()["$defs"] as? [String: [String: Any]])
    let pattern = try #require(definitions["source"]?["pattern"] as? String)
    let words = try #require(definitions["source"]?["description"] as? String)
    func isRight(_ source: String) -> Bool { source.range(of: pattern, options: .regularExpression) != nil }
    for scheme in SourceName.schemes {
        expect(isRight("\(scheme)://h/a") && !isRight("\(scheme)x://h/a") && words.contains(scheme), "\(scheme)")
    }
    for scheme in ["gopher", "a+b"] { expect(!isRight("\(scheme)://h")) }
    for file in ["a.mp4", "a:b", "rtsp:g", "://a", "1a://b", "a b://c"] { expect(isRight(file), "\(file)") }
}

@Test func theSchemaItselfIsReadAsJSON() throws {
    let data = try Data(contentsOf: schemaFile)
    _ = try JSONParser.parse([UInt8](data))
}
