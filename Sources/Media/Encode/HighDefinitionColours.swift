import CFFmpeg

/// Converts 32-bit pixels (libyuv's ARGB) to I420 in BT.709, limited range. libyuv has only BT.601 in this direction.
///
/// Weights are in 256ths, like libyuv's. Chroma is the mean of four pixels.
enum HighDefinitionColours {
    private static let red: UInt16 = 47, green: UInt16 = 157, blue: UInt16 = 16

    static func convert(_ base: UnsafePointer<UInt8>, stride: Int, into codecFrame: UnsafeMutablePointer<AVFrame>) {
        guard let luma = qd_plane(codecFrame, 0), let u = qd_plane(codecFrame, 1), let v = qd_plane(codecFrame, 2)
        else { return }
        let (width, height) = (Int(codecFrame.pointee.width), Int(codecFrame.pointee.height))
        let (lumaStride, uStride, vStride) = (
            Int(qd_stride(codecFrame, 0)), Int(qd_stride(codecFrame, 1)), Int(qd_stride(codecFrame, 2))
        )
        for row in Swift.stride(from: 0, to: height, by: 2) {
            let next = min(row + 1, height - 1)
            let pair = Pair(
                upper: UnsafeRawPointer(base + row * stride), lower: UnsafeRawPointer(base + next * stride),
                upperLuma: luma + row * lumaStride, lowerLuma: luma + next * lumaStride,
                u: u + row / 2 * uStride, v: v + row / 2 * vStride)
            var x = 0
            while x + 8 <= width {
                pair.convertEight(at: x)
                x += 8
            }
            while x < width {
                pair.convertTwo(at: x, second: min(x + 1, width - 1))
                x += 2
            }
        }
    }

    /// Two rows that share their chroma.
    private struct Pair {
        let upper: UnsafeRawPointer
        let lower: UnsafeRawPointer
        let upperLuma: UnsafeMutablePointer<UInt8>
        let lowerLuma: UnsafeMutablePointer<UInt8>
        let u: UnsafeMutablePointer<UInt8>
        let v: UnsafeMutablePointer<UInt8>

        @inline(__always)
        func convertEight(at x: Int) {
            let a = upper.loadUnaligned(fromByteOffset: x * 4, as: SIMD8<UInt32>.self)
            let b = lower.loadUnaligned(fromByteOffset: x * 4, as: SIMD8<UInt32>.self)
            let (ar, ag, ab) = (channel(a, 16), channel(a, 8), channel(a, 0))
            let (br, bg, bb) = (channel(b, 16), channel(b, 8), channel(b, 0))
            store(brightness(ar, ag, ab), upperLuma + x)
            store(brightness(br, bg, bb), lowerLuma + x)
            let (r, g, c) = (mean(ar &+ br), mean(ag &+ bg), mean(ab &+ bb))
            store(difference(c &* 112, r &* 26, g &* 86), u + x / 2)
            store(difference(r &* 112, g &* 102, c &* 10), v + x / 2)
        }

        @inline(__always)
        private func channel(_ pixels: SIMD8<UInt32>, _ shift: UInt32) -> SIMD8<UInt16> {
            SIMD8<UInt16>(truncatingIfNeeded: (pixels &>> shift) & 255)
        }

        @inline(__always)
        private func brightness(_ r: SIMD8<UInt16>, _ g: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
            // Swift 6.0 can't type-check these operators in one expression.
            let weighted: SIMD8<UInt16> = r &* red &+ g &* green &+ b &* blue
            let rounded: SIMD8<UInt16> = weighted &+ 128
            return (rounded &>> 8) &+ 16
        }

        /// Returns a chroma value: a weighted colour minus two others.
        @inline(__always)
        private func difference(_ plus: SIMD4<Int16>, _ a: SIMD4<Int16>, _ b: SIMD4<Int16>) -> SIMD4<Int16> {
            let weighted: SIMD4<Int16> = plus &- a &- b
            let rounded: SIMD4<Int16> = weighted &+ 128
            return (rounded &>> 8) &+ 128
        }

        /// Returns the means of four pixels, from sums of two rows.
        @inline(__always)
        private func mean(_ sums: SIMD8<UInt16>) -> SIMD4<Int16> {
            let pairs: SIMD4<UInt16> = sums.evenHalf &+ sums.oddHalf
            return SIMD4<Int16>(truncatingIfNeeded: (pairs &+ 2) &>> 2)
        }

        @inline(__always)
        private func store(_ values: SIMD8<UInt16>, _ target: UnsafeMutablePointer<UInt8>) {
            UnsafeMutableRawPointer(target).storeBytes(
                of: SIMD8<UInt8>(truncatingIfNeeded: values), as: SIMD8<UInt8>.self)
        }

        @inline(__always)
        private func store(_ values: SIMD4<Int16>, _ target: UnsafeMutablePointer<UInt8>) {
            UnsafeMutableRawPointer(target).storeBytes(
                of: SIMD4<UInt8>(truncatingIfNeeded: values), as: SIMD4<UInt8>.self)
        }

        /// Converts the right edge; `second` equals `x` if the width is odd.
        func convertTwo(at x: Int, second: Int) {
            var sum = (r: 0, g: 0, b: 0)
            for (row, luma) in [(upper, upperLuma), (lower, lowerLuma)] {
                for place in [x, second] {
                    let pixel = row.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)
                    let (r, g, b) = (Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
                    luma[place] = UInt8((r * Int(red) + g * Int(green) + b * Int(blue) + 128) >> 8 + 16)
                    sum = (sum.r + r, sum.g + g, sum.b + b)
                }
            }
            let (r, g, b) = ((sum.r + 2) >> 2, (sum.g + 2) >> 2, (sum.b + 2) >> 2)
            u[x / 2] = UInt8((b * 112 - r * 26 - g * 86 + 128) >> 8 + 128)
            v[x / 2] = UInt8((r * 112 - g * 102 - b * 10 + 128) >> 8 + 128)
        }
    }
}
