import CFFmpeg

/// Converts 32-bit pixels (libyuv's ARGB) to I420 in BT.709, limited range. libyuv has only BT.601 in this direction.
///
/// Weights are in 256ths, like libyuv's. Chroma is the mean of four pixels. The frame's rows have room for a multiple of
/// eight pixels, as those of `av_frame_get_buffer` have.
enum HighDefinitionColours {
    static func convert(_ base: UnsafePointer<UInt8>, stride: Int, into codecFrame: UnsafeMutablePointer<AVFrame>) {
        let (width, height) = (Int(codecFrame.pointee.width), Int(codecFrame.pointee.height))
        func target(_ plane: Int32, _ row: Int) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(qd_plane(codecFrame, plane)!) + row * Int(qd_stride(codecFrame, plane))
        }
        for row in Swift.stride(from: 0, to: height, by: 2) {
            let next = min(row + 1, height - 1)
            let (upper, lower) = (UnsafeRawPointer(base + row * stride), UnsafeRawPointer(base + next * stride))
            let (upperLuma, lowerLuma) = (target(0, row), target(0, next))
            let (u, v) = (target(1, row / 2), target(2, row / 2))
            for x in Swift.stride(from: 0, to: width, by: 8) {
                let colours = Colours(upper, lower, x, width), luma = colours.luma, chroma = Chroma(colours)
                upperLuma.storeBytes(of: luma.lowHalf, toByteOffset: x, as: SIMD8<UInt8>.self)
                lowerLuma.storeBytes(of: luma.highHalf, toByteOffset: x, as: SIMD8<UInt8>.self)
                u.storeBytes(of: chroma.u, toByteOffset: x / 2, as: SIMD4<UInt8>.self)
                v.storeBytes(of: chroma.v, toByteOffset: x / 2, as: SIMD4<UInt8>.self)
            }
        }
    }

    /// Eight pixels of a row, and the eight below them. Both are made at once, so that the optimiser inlines what makes
    /// them.
    private struct Colours {
        let red: SIMD16<UInt16>
        let green: SIMD16<UInt16>
        let blue: SIMD16<UInt16>

        private static let weights: (red: UInt16, green: UInt16, blue: UInt16) = (47, 157, 16)

        /// Beyond the right edge the last pixel is repeated.
        init(_ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, _ x: Int, _ width: Int) {
            var pixels = SIMD16<UInt32>()
            if x + 8 <= width {
                pixels.lowHalf = upper.loadUnaligned(fromByteOffset: x * 4, as: SIMD8<UInt32>.self)
                pixels.highHalf = lower.loadUnaligned(fromByteOffset: x * 4, as: SIMD8<UInt32>.self)
            } else {
                for place in 0..<8 {
                    let offset = min(x + place, width - 1) * 4
                    pixels[place] = upper.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    pixels[place + 8] = lower.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                }
            }
            red = SIMD16<UInt16>(truncatingIfNeeded: (pixels &>> 16) & 255)
            green = SIMD16<UInt16>(truncatingIfNeeded: (pixels &>> 8) & 255)
            blue = SIMD16<UInt16>(truncatingIfNeeded: pixels & 255)
        }

        var luma: SIMD16<UInt8> {
            // Swift 6.0 can't type-check these operators in one expression.
            let weighted: SIMD16<UInt16> =
                red &* Self.weights.red &+ green &* Self.weights.green &+ blue &* Self.weights.blue
            let rounded: SIMD16<UInt16> = weighted &+ 128
            return SIMD16<UInt8>(truncatingIfNeeded: (rounded &>> 8) &+ 16)
        }
    }

    /// Chroma of eight pixels in each of two rows.
    private struct Chroma {
        let u: SIMD4<UInt8>
        let v: SIMD4<UInt8>

        init(_ colours: Colours) {
            let red = Self.mean(colours.red), green = Self.mean(colours.green), blue = Self.mean(colours.blue)
            u = Self.difference(blue &* 112, red &* 26, green &* 86)
            v = Self.difference(red &* 112, green &* 102, blue &* 10)
        }

        /// Returns the means of four pixels each.
        private static func mean(_ colour: SIMD16<UInt16>) -> SIMD4<Int16> {
            let sums: SIMD8<UInt16> = colour.lowHalf &+ colour.highHalf
            let pairs: SIMD4<UInt16> = sums.evenHalf &+ sums.oddHalf
            return SIMD4<Int16>(truncatingIfNeeded: (pairs &+ 2) &>> 2)
        }

        /// Returns a chroma value: a weighted colour minus two others.
        private static func difference(_ plus: SIMD4<Int16>, _ a: SIMD4<Int16>, _ b: SIMD4<Int16>) -> SIMD4<UInt8> {
            let weighted: SIMD4<Int16> = plus &- a &- b
            let rounded: SIMD4<Int16> = weighted &+ 128
            return SIMD4<UInt8>(truncatingIfNeeded: (rounded &>> 8) &+ 128)
        }
    }
}
