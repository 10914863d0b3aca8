import Base
import CYUV
import Decoded
import Foundation
import Media
import Scene

import enum TestKit.PixelBytes
import class TestKit.PlaneMemory

@testable import Screen

/// Frames without blank areas: noise, or gradients where scaling is compared.
enum Drawn {
    enum Look { case noise, gradient }

    static func i420(
        _ width: Int, _ height: Int, _ look: Look, _ colours: Colorimetry = .init(.bt709, .limited),
        seed: UInt64 = 1
    ) -> Frame {
        let chroma = Size((width + 1) / 2, (height + 1) / 2)
        return frame(Size(width, height), .i420(colours), [Size(width, height), chroma, chroma], look, seed)
    }

    static func i444(_ width: Int, _ height: Int, _ look: Look, _ colours: Colorimetry) -> Frame {
        let size = Size(width, height)
        return frame(size, .i444(colours), [size, size, size], look, 2)
    }

    /// One colour, premultiplied by `alpha`.
    static func bgra(_ width: Int, _ height: Int, _ color: Color, alpha: UInt8) -> Frame {
        let memory = PlaneMemory(bytes: width * height * 4)
        let pixel = [color.blue, color.green, color.red, 255].map { UInt8(Int($0) * Int(alpha) / 255) }
        PixelBytes.fill(memory.base, with: pixel, count: width * height)
        return Frame(
            size: Size(width, height), natural: Size(width, height),
            format: .bgra(alpha == 255 ? .opaque : .translucent),
            planes: [.init(base: memory.base, stride: width * 4)], owner: memory)
    }

    private static func frame(
        _ size: Size, _ format: Frame.Format, _ planes: [Size], _ look: Look, _ seed: UInt64
    ) -> Frame {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        // Strides wider than the rows, as FFmpeg's are.
        let strides = planes.map { $0.width + 13 }
        let memory = PlaneMemory(bytes: zip(strides, planes).reduce(0) { $0 + $1.0 * $1.1.height })
        var next = memory.base
        let drawn = planes.enumerated().map { number, plane in
            let (bytes, stride) = (next, strides[number])
            next += stride * plane.height
            for y in 0..<plane.height {
                for x in 0..<stride {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let slope =
                        number == 0
                        ? 16 + 200 * (x + y) / (plane.width + plane.height)
                        : 60 + 130 * (number == 1 ? x : y) / (plane.width + plane.height)
                    bytes[y * stride + x] = look == .noise ? UInt8(state >> 56) : UInt8(min(235, slope))
                }
            }
            return Frame.Plane(base: bytes, stride: stride)
        }
        return Frame(
            size: size, natural: size, format: format,
            planes: drawn, owner: memory)
    }
}

/// Converts the whole frame by one call of libyuv.
func converted(_ frame: Frame) -> [UInt32] {
    var pixels = [UInt32](repeating: 0, count: frame.size.width * frame.size.height)
    let (width, height) = (Int32(frame.size.width), Int32(frame.size.height))
    let planes = frame.planes
    pixels.withUnsafeMutableBytes { bytes in
        let target = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        switch frame.format {
        case .i420(let colours):
            I420ToARGBMatrix(
                planes[0].base, Int32(planes[0].stride), planes[1].base, Int32(planes[1].stride),
                planes[2].base, Int32(planes[2].stride), target, width * 4, yuvConstants(colours), width, height)
        case .i444(let colours):
            I444ToARGBMatrix(
                planes[0].base, Int32(planes[0].stride), planes[1].base, Int32(planes[1].stride),
                planes[2].base, Int32(planes[2].stride), target, width * 4, yuvConstants(colours), width, height)
        case .bgra:
            ARGBCopy(planes[0].base, Int32(planes[0].stride), target, width * 4, width, height)
        }
    }
    return pixels
}

/// Memory to paint into, filled with a colour that no test draws.
final class Paper {
    let raster: Raster
    static let untouched: UInt32 = 0xFFAB_CDEF

    init(_ width: Int, _ height: Int) {
        let stride = width * 4 + 32
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * height)
        raster = Raster(base: bytes, stride: stride, size: Size(width, height))
        wipe()
    }
    deinit { raster.base.deallocate() }

    func wipe() {
        raster.fill(Rect(raster.size), Color(red: 0xAB, green: 0xCD, blue: 0xEF))
    }
    subscript(x: Int, y: Int) -> UInt32 { raster.pixels[y * raster.size.width + x] }
}

extension Scene {
    /// A scene on a dark blue background.
    init(_ size: Size, _ views: View...) {
        self.init(size: size, background: Color(red: 0, green: 0, blue: 64), views: views)
    }
}

extension View {
    /// A view of a frame at its own size, or drawn into `target`.
    static func shown(
        _ frame: Frame, tile: Int = 0, serial: Int = 1, crop: Fractions = .all, at target: Rect,
        label: String? = nil
    ) -> View {
        let stamp = Stamp(feed: FeedID(number: tile), serial: serial)
        return View(
            tile: TileID(number: tile), rect: target,
            content: .frame(PlacedFrame(frame, stamp: stamp, crop: crop, target: target)), label: label)
    }
    static func card(_ name: String, _ detail: String, tile: Int = 0, at rect: Rect) -> View {
        View(
            tile: TileID(number: tile), rect: rect, content: .card(Card(.placeholder, name, detail)), label: nil
        )
    }
}

/// Mean difference over all channels.
func meanDifference(_ a: [UInt32], _ b: [UInt32]) -> Double {
    var sum = 0
    for (left, right) in zip(a, b) {
        for shift in [UInt32(0), 8, 16] {
            sum += abs(Int(left >> shift & 0xFF) - Int(right >> shift & 0xFF))
        }
    }
    return Double(sum) / Double(max(1, a.count) * 3)
}

/// Writes a PPM to the folder that QUADRILLE_TEST_PICTURES names, if it is set.
func keep(_ size: Size, _ pixels: [UInt32], as name: String) {
    guard let folder = ProcessInfo.processInfo.environment["QUADRILLE_TEST_PICTURES"] else { return }
    var data = Data("P6 \(size.width) \(size.height) 255\n".utf8)
    for pixel in pixels {
        data.append(contentsOf: [UInt8(pixel >> 16 & 0xFF), UInt8(pixel >> 8 & 0xFF), UInt8(pixel & 0xFF)])
    }
    try? data.write(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".ppm"))
}
