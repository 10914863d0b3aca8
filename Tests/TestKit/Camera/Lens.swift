import CX11
import Foundation

/// A connection to an X server that copies a region of its root window. Used by one thread at a time.
final class Lens {
    let area: Area
    private let connection: OpaquePointer
    private let root: Window
    private let image: UnsafeMutablePointer<XImage>
    private let segment = UnsafeMutablePointer<XShmSegmentInfo>.allocate(capacity: 1)

    struct CannotSee: Error { let why: String }

    /// Holds the display: a connection to a server that has ended would end the tests.
    private let display: Display

    init(_ display: Display, _ area: Area) throws {
        (self.display, self.area) = (display, area)
        let segment = segment
        (connection, image) = try XConnection.alone {
            let connection = try XConnection.open(display)
            let screen = XDefaultScreen(connection)
            guard XShmQueryExtension(connection) != 0,
                let image = XShmCreateImage(
                    connection, XDefaultVisual(connection, screen), UInt32(XDefaultDepth(connection, screen)), ZPixmap,
                    nil, segment, UInt32(area.width), UInt32(area.height))
            else { throw CannotSee(why: "no shared memory on \(display.name)") }
            return (connection, image)
        }
        root = XDefaultRootWindow(connection)
        segment.pointee.shmid = shmget(IPC_PRIVATE, Int(image.pointee.bytes_per_line) * area.height, IPC_CREAT | 0o600)
        segment.pointee.shmaddr = shmat(segment.pointee.shmid, nil, 0).assumingMemoryBound(to: CChar.self)
        segment.pointee.readOnly = 0
        image.pointee.data = segment.pointee.shmaddr
        XShmAttach(connection, segment)
        XSync(connection, 0)
        shmctl(segment.pointee.shmid, IPC_RMID, nil)
    }

    /// Copies the region's present contents. The pixels are valid until the next call.
    func look() -> Pixels {
        XShmGetImage(connection, root, image, Int32(area.x), Int32(area.y), qd_AllPlanes)
        return Pixels(
            base: UnsafeRawPointer(segment.pointee.shmaddr), stride: Int(image.pointee.bytes_per_line), area: area)
    }

    deinit {
        XConnection.alone {
            XShmDetach(connection, segment)
            XSync(connection, 0)
            shmdt(segment.pointee.shmaddr)
            image.pointee.data = nil
            _ = image.pointee.f.destroy_image(image)
            XConnection.close(connection)
        }
        segment.deallocate()
    }
}

/// A rectangle of the screen in whole pixels.
public struct Area: Hashable, Sendable {
    public var x, y, width, height: Int

    public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Cell (column, row) of an even grid over this area.
    public func cell(_ column: Int, _ row: Int, of columns: Int, by rows: Int) -> Area {
        let (left, top) = (x + width * column / columns, y + height * row / rows)
        return Area(left, top, x + width * (column + 1) / columns - left, y + height * (row + 1) / rows - top)
    }
}

/// 32-bit pixels in memory that another object owns, addressed by their place on the screen.
struct Pixels {
    let base: UnsafeRawPointer
    let stride: Int
    let area: Area

    func colour(_ x: Int, _ y: Int) -> Colour {
        let value = base.load(fromByteOffset: (y - area.y) * stride + (x - area.x) * 4, as: UInt32.self)
        return Colour(Int(value >> 16 & 255), Int(value >> 8 & 255), Int(value & 255))
    }

    func contains(_ x: Int, _ y: Int) -> Bool {
        x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height
    }
}
