import Base
import CAss

extension ASS_Image {
    /// The images of a list of libass.
    static func list(_ first: UnsafeMutablePointer<ASS_Image>?) -> [ASS_Image] {
        var images: [ASS_Image] = []
        var image = first
        while let part = image?.pointee {
            images.append(part)
            image = part.next
        }
        return images
    }

    /// Rect of the visible pixels, which may be smaller than the bitmap; nil if there are none.
    var ink: Rect? {
        var left = Int.max, right = 0, top = Int.max, bottom = 0
        for y in 0..<Int(h) {
            let row = bitmap + y * Int(stride)
            for x in 0..<Int(w) where row[x] > 8 {
                (left, right) = (min(left, x), max(right, x + 1))
                (top, bottom) = (min(top, y), y + 1)
            }
        }
        return left < right ? Rect(Int(dst_x) + left, Int(dst_y) + top, right - left, bottom - top) : nil
    }
}

/// A bitmap under construction, of images of libass.
struct ImageBlend {
    let size: Size
    private(set) var pixels: [UInt32]
    /// Place of the bitmap in libass's frame.
    private let origin: Point

    init(_ size: Size, from origin: Point) {
        (self.size, self.origin) = (size, origin)
        pixels = Array(repeating: 0, count: size.width * size.height)
    }

    var bitmap: TextBitmap { TextBitmap(size: size, pixels: pixels) }

    /// Blends an image over the pixels, in its own colour or another one, and with its own opacity.
    mutating func add(_ image: ASS_Image, rgb: UInt32? = nil) {
        let opacity = 255 - image.color & 0xFF, rgb = rgb ?? image.color >> 8
        let place = Point(Int(image.dst_x) - origin.x, Int(image.dst_y) - origin.y)
        for y in max(0, -place.y)..<max(0, -place.y, min(Int(image.h), size.height - place.y)) {
            let row = (y + place.y) * size.width + place.x
            for x in max(0, -place.x)..<max(0, -place.x, min(Int(image.w), size.width - place.x)) {
                let alpha = UInt32(image.bitmap[y * Int(image.stride) + x]) * opacity / 255
                if alpha > 0 { pixels[row + x] = over(premultiplied(rgb, alpha), pixels[row + x]) }
            }
        }
    }
}

func premultiplied(_ rgb: UInt32, _ alpha: UInt32) -> UInt32 {
    let red = (rgb >> 16 & 0xFF) * alpha / 255
    let green = (rgb >> 8 & 0xFF) * alpha / 255
    let blue = (rgb & 0xFF) * alpha / 255
    return alpha << 24 | red << 16 | green << 8 | blue
}

func over(_ upper: UInt32, _ lower: UInt32) -> UInt32 {
    let rest = 255 - upper >> 24
    var result: UInt32 = 0
    for shift in [UInt32(0), 8, 16, 24] {
        result |= min(255, (upper >> shift & 0xFF) + (lower >> shift & 0xFF) * rest / 255) << shift
    }
    return result
}
