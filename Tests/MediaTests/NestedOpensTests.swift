import Expectations
import Testing

@testable import Base
@testable import Media

/// Sources that a playlist may open.
@Suite struct NestedOpensTests {
    private func decide(
        _ name: String, from origin: NestedOpens.Origin, links: [String: String] = [:]
    ) -> Result<NestedOpens.Target, NestedOpens.Refusal> {
        var opens = NestedOpens(origin)
        return Result { () throws(NestedOpens.Refusal) in
            try opens.decide(name, offset: nil, at: .zero) { path in path.contains("gone") ? nil : links[path] ?? path }
        }
    }

    private let folder = NestedOpens.Origin.folder("/films/hls")

    @Test(arguments: ["http://a/b.ts", "https://a/b.ts", "HTTPS://a/b", "crypto+https://a/b.ts", "crypto:http://a/b"])
    func serversMayBeLedToFromEverywhere(_ name: String) {
        expect(decide(name, from: .network), equals: .success(.url))
        expect(decide(name, from: folder), equals: .success(.url))
    }

    @Test func aListOnDiskLeadsToItsOwnFolderAndBelow() {
        for (name, path) in [
            ("file:/films/hls/a.ts", "/films/hls/a.ts"), ("/films/hls/sub/b.ts", "/films/hls/sub/b.ts"),
            ("file:///films/hls/a.ts", "/films/hls/a.ts"), ("crypto+file:/films/hls/a.ts", "/films/hls/a.ts"),
        ] {
            expect(decide(name, from: folder), equals: .success(.file(path)), "\(name)")
        }
        expect(decide("file:/films/a.ts", from: folder), equals: .failure(.outsideItsFolder))
        expect(decide("file:/films/hlsother/a.ts", from: folder), equals: .failure(.outsideItsFolder))
        expect(decide("file:/films/hls/gone.ts", from: folder), equals: .failure(.notAFile))
        expect(decide("file:/a.ts", from: .folder("/")), equals: .success(.file("/a.ts")))
    }

    @Test func linksAreFollowedBeforeItIsAsked() {
        let links = ["/films/hls/a.ts": "/etc/shadow", "/elsewhere/a.ts": "/films/hls/a.ts"]
        expect(decide("file:/films/hls/a.ts", from: folder, links: links), equals: .failure(.outsideItsFolder))
        expect(decide("file:/elsewhere/a.ts", from: folder, links: links), equals: .success(.file("/films/hls/a.ts")))
    }

    @Test func aListFromTheNetworkLeadsToNoFile() {
        for name in ["file:/etc/passwd", "/etc/passwd", "crypto+file:/etc/passwd", "file:///etc/passwd"] {
            expect(decide(name, from: .network), equals: .failure(.scheme("file")), "\(name)")
        }
    }

    @Test(arguments: [
        "pipe:0", "async:file:/films/hls/a.ts", "concat:/films/hls/a.ts|/etc/passwd", "cache:http://a/b", "data:,x",
        "rtmp://a/b", "ftp://a/b", "udp://@:5000", "gopher://a/", "tcp://a:1", "crypto+pipe:0",
    ])
    func nothingElseIsOpened(_ name: String) {
        let scheme = String((name.hasPrefix("crypto+") ? String(name.dropFirst(7)) : name).prefix { $0 != ":" })
        expect(decide(name, from: folder), equals: .failure(.scheme(scheme)))
        expect(decide(name, from: .network), equals: .failure(.scheme(scheme)))
    }

    /// `subfile,,start,1,end,2,,:/etc/passwd` has no scheme by its letters, and names no file.
    @Test func whatOnlyLooksLikeAFileIsLookedUpAsOne() {
        var asked: [String] = []
        var opens = NestedOpens(folder)
        #expect(throws: NestedOpens.Refusal.notAFile) {
            try opens.decide("subfile,,start,1,end,2,,:/etc/passwd", offset: nil, at: .zero) {
                asked.append($0)
                return nil
            }
        }
        expect(asked, equals: ["subfile,,start,1,end,2,,:/etc/passwd"])
    }

    // MARK: how often

    /// Returns how many of these requests in a row are allowed.
    private func count(
        _ opens: inout NestedOpens, at time: Time = .zero, of most: Int = 100_000, _ name: (Int) -> String,
        offset: (Int) -> String? = { _ in nil }
    ) -> Int {
        for index in 0..<most {
            do throws(NestedOpens.Refusal) {
                _ = try opens.decide(name(index), offset: offset(index), at: time) { $0 }
            } catch { return index }
        }
        return most
    }

    @Test func aListThatNamesItselfIsOpenedAFewTimes() {
        var opens = NestedOpens(.network)
        expect(count(&opens) { _ in "http://a/list.m3u8" }, equals: NestedOpens.mostOfOneWhileOpening)
    }

    @Test func listsWithoutEndAreCut() {
        var opens = NestedOpens(.network)
        expect(count(&opens) { "http://a/list.m3u8?\($0)" }, equals: NestedOpens.mostWhileOpening)
    }

    @Test func anOpenSourceReadsOnForMonthsButNotInARush() {
        var opens = NestedOpens(.network)
        opens.sourceIsOpen(at: .zero)
        expect(count(&opens, at: .zero, of: 5000) { "http://a/\($0).ts" }, equals: 5000)
        // A playlist is read again each second for an hour.
        expect((0..<3600).allSatisfy { count(&opens, at: .seconds($0), of: 1) { _ in "http://a/list.m3u8" } == 1 })
        // The same request is repeated at once, then after a rest.
        expect(count(&opens, at: .seconds(4000)) { _ in "http://a/list.m3u8" }, equals: NestedOpens.mostOfOne)
        expect(count(&opens, at: .seconds(4001)) { _ in "http://a/list.m3u8" }, equals: 0)
        expect(count(&opens, at: .seconds(4002), of: 10) { _ in "http://a/list.m3u8" }, equals: 10)
    }

    @Test func partsOfOneFileAreDifferentRequests() {
        var opens = NestedOpens(.network)
        opens.sourceIsOpen(at: .zero)
        expect(
            count(&opens, of: 1000) { _ in
                "http://a/all.mp4"
            } offset: {
                "\($0)"
            }, equals: 1000)
    }
}

/// Addresses that stay on the machine and its link.
@Suite struct NetworkAddressTests {
    @Test func loopbackAndLinkLocalStayHere() {
        for bytes: [UInt8] in [
            [127, 0, 0, 1], [127, 255, 0, 9], [0, 0, 0, 0], [169, 254, 169, 254],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1],
            [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 169, 254, 1, 1],
            [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [],
        ] {
            expect(NetworkAddress.staysHere(bytes), "\(bytes)")
        }
    }

    @Test func otherAddressesLeadAway() {
        for bytes: [UInt8] in [
            [10, 0, 0, 1], [192, 168, 1, 1], [8, 8, 8, 8], [169, 253, 0, 1], [128, 0, 0, 1], [239, 1, 1, 1],
            [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1],
            [0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ] {
            expect(!NetworkAddress.staysHere(bytes), "\(bytes)")
        }
    }
}
