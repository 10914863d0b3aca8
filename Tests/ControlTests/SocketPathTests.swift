import Expectations
import Glibc
import Testing
import Threads

@testable import Socket

/// The socket's path, and files that existed there before.
@Suite struct SocketPathTests {
    private func mode(_ path: String) -> mode_t? {
        var file = stat()
        return lstat(path, &file) == 0 ? file.st_mode : nil
    }

    private func reason(_ path: String) -> ControlSocketTrouble.Reason? {
        do throws(ControlSocketTrouble) {
            try LoneSocket(path).stop()
            return nil
        } catch {
            expect(error.description.hasPrefix("\(path): "))
            return error.reason
        }
    }

    private func isServed(_ path: String) throws -> Bool {
        try TestClient(path).reply(to: #"{"command":["echo",1]}"#) == #"{"data":1,"request_id":0,"error":"success"}"#
    }

    /// Leaves a socket file that no process listens at.
    private func leaveSocket(at path: String) throws {
        let left = try SocketPath(path)
        close(left.listener)
    }

    @Test func onlyItsUserMayConnect() throws {
        try withSocket { _, _, path in
            expect(mode(path), equals: S_IFSOCK | 0o600)
        }
    }

    @Test func theSocketIsRemovedAtTheEnd() throws {
        try withFolder { folder in
            let socket = try LoneSocket("\(folder)/s")
            expect(socket.stop(), equals: [])
            expect(mode("\(folder)/s"), equals: nil)
        }
    }

    @Test func whatAnotherHasPutThereMeanwhileStays() throws {
        try withFolder { folder in
            let path = "\(folder)/s"
            let socket = try LoneSocket(path)
            unlink(path)
            let other = try LoneSocket(path)
            socket.stop()
            _ = try TestClient(path)
            other.stop()
            expect(mode(path), equals: nil)
        }
    }

    @Test func aLeftOverSocketIsReplaced() throws {
        try withFolder { folder in
            try leaveSocket(at: "\(folder)/s")
            expect(mode("\(folder)/s"), equals: S_IFSOCK | 0o600)
            let socket = try LoneSocket("\(folder)/s")
            try expect(isServed("\(folder)/s"))
            socket.stop()
        }
    }

    @Test func aSocketInUseIsAnError() throws {
        try withSocket { _, _, path in
            expect(reason(path), equals: .inUse)
            let isStillServed = try isServed(path)
            expect(isStillServed)
        }
    }

    @Test func whatIsNoSocketStays() throws {
        try withFolder { folder in
            let file = open("\(folder)/file", O_CREAT | O_WRONLY, 0o644)
            close(file)
            mkdir("\(folder)/folder", 0o700)
            symlink("\(folder)/none", "\(folder)/link")
            for name in ["file", "folder", "link"] {
                let before = mode("\(folder)/\(name)")
                expect(reason("\(folder)/\(name)"), equals: .notASocket, "\(name)")
                expect(mode("\(folder)/\(name)") == before && before != nil)
            }
            rmdir("\(folder)/folder")
        }
    }

    @Test func pathsThatCannotBe() throws {
        try withFolder { folder in
            let long = "\(folder)/" + String(repeating: "x", count: SocketPath.longest - folder.utf8.count - 1)
            expect(SocketPath.longest, equals: 107)
            expect(reason(long), equals: nil)
            expect(reason(long + "x"), equals: .tooLong)
            expect(reason("\(folder)/none/s"), equals: .system(ENOENT))
            expect(reason(""), equals: .system(ENOENT))
        }
    }

    @Test func ofManyThatBeginAtOnceOneWins() throws {
        try withFolder { folder in
            for _ in 0..<10 {
                try leaveSocket(at: "\(folder)/s")
                let sockets = Locked([LoneSocket]())
                let workers = try (0..<8).map { number in
                    try Worker("start \(number)") {
                        let socket = try? LoneSocket("\(folder)/s")
                        if let socket { sockets.locked { $0.append(socket) } }
                    }
                }
                for worker in workers { _ = worker.join() }
                let won = sockets.locked { $0 }
                expect(won.count, equals: 1)
                for socket in won { socket.stop() }
            }
        }
    }

    @Test func aLinkLeadsToIt() throws {
        try withFolder { folder in
            let links = "\(folder)/quadrille"
            mkdir(links, 0o755)
            // Links of a process that has ended, of one that runs, and a file that is no link.
            let gone = "\(links)/999999999", alive = "\(links)/1", file = "\(links)/999999998"
            symlink("/nowhere", gone)
            symlink("/nowhere", alive)
            close(open(file, O_CREAT | O_WRONLY, 0o600))
            let own = "\(links)/\(getpid())"
            symlink("/nowhere", own)

            let socket = try LoneSocket("\(folder)/s", linkedIn: RuntimeFolder(path: links))
            expect(mode(links), equals: S_IFDIR | 0o700)
            expect(mode(gone), equals: nil)
            expect(mode(alive) != nil)
            expect(mode(file) != nil)
            try expect(isServed(own))
            socket.stop()
            expect(mode(own), equals: nil)
            unlink(alive)
            unlink(file)
            rmdir(links)
        }
    }

    @Test func aLinkThatLeadsElsewhereStays() throws {
        try withFolder { folder in
            let link = try #require(RuntimeLink(to: "relative", in: RuntimeFolder(path: "\(folder)/links")))
            let own = "\(folder)/links/\(getpid())"
            unlink(own)
            symlink("/elsewhere", own)
            link.remove()
            expect(mode(own) != nil)
            unlink(own)
            rmdir("\(folder)/links")
        }
    }

    @Test func withoutAFolderForLinksThereIsASocketAllTheSame() throws {
        try withFolder { folder in
            let socket = try LoneSocket("\(folder)/s", linkedIn: RuntimeFolder(path: "\(folder)/none/links"))
            _ = try TestClient("\(folder)/s")
            socket.stop()
        }
    }
}
