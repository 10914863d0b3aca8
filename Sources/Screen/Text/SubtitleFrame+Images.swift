import Base
import CYUV
import Media

// Subtitles that are images.
extension SubtitleFrame {
    /// Scales the images with the film, which is as wide as the frame for which they were made.
    convenience init(images: [SubtitleImage], in size: Size) {
        self.init(
            bands: images.compactMap { image in
                let canvas = image.canvas.width > 0 && image.canvas.height > 0 ? image.canvas : size
                let scale = Double(size.width) / Double(canvas.width)
                func scaled(_ length: Int) -> Int { Int((Double(length) * scale).rounded()) }
                // Films without black bars are lower than that frame: their middles meet.
                let top = (size.height - scaled(canvas.height)) / 2
                let (width, height) = (max(1, scaled(image.place.width)), max(1, scaled(image.place.height)))
                guard width <= 4 * size.width, height <= 4 * size.height else { return nil }
                let y = min(max(top + scaled(image.place.y), 0), max(0, size.height - height))
                return Band(
                    bitmap: image.bitmap(Size(width, height)), origin: Point(scaled(image.place.x), y))
            })
    }
}

extension SubtitleImage {
    fileprivate func bitmap(_ size: Size) -> TextBitmap {
        let own = pixels
        if size == place.size { return TextBitmap(size: size, pixels: own) }
        var scaled = [UInt32](repeating: 0, count: size.width * size.height)
        own.withUnsafeBytes { from in
            scaled.withUnsafeMutableBytes { to in
                _ = ARGBScale(
                    from.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(place.width * 4), Int32(place.width),
                    Int32(place.height), to.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(size.width * 4),
                    Int32(size.width), Int32(size.height), kFilterBox)
            }
        }
        return TextBitmap(size: size, pixels: scaled)
    }
}
