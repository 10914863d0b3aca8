import Base
import CFFmpeg

/// An image of subtitles, as those of Blu-rays and DVDs are. Its pixels are kept as runs of equal colours.
public struct SubtitleImage: Sendable {
    /// Place in the frame for which it was made.
    public let place: Rect
    /// Size of that frame.
    public let canvas: Size
    /// Pairs of a length and an index of the palette.
    private let runs: [UInt8]
    /// Premultiplied, 0xAARRGGBB.
    private let palette: [UInt32]

    /// Largest side of an image, in pixels.
    private static let longest = 8192

    /// nil if the rect has no image, or one that lies outside of any frame.
    init?(_ rect: AVSubtitleRect, canvas: Size) {
        let place = Rect(Int(rect.x), Int(rect.y), Int(rect.w), Int(rect.h))
        guard rect.type == SUBTITLE_BITMAP, !place.isEmpty, let indices = rect.data.0, let colours = rect.data.1,
            place.x >= 0, place.y >= 0, place.maxX <= Self.longest, place.maxY <= Self.longest,
            (1...256).contains(Int(rect.nb_colors)), Int(rect.linesize.0) >= place.width
        else { return nil }
        palette = colours.withMemoryRebound(to: UInt32.self, capacity: 256) { colours in
            (0..<Int(rect.nb_colors)).map { Self.premultiplied(colours[$0]) }
        }
        var runs: [UInt8] = []
        for row in 0..<place.height {
            let line = indices + row * Int(rect.linesize.0)
            var column = 0
            while column < place.width {
                var length = 1
                while length < 255, column + length < place.width, line[column + length] == line[column] {
                    length += 1
                }
                runs += [UInt8(length), line[column]]
                column += length
            }
        }
        (self.place, self.canvas, self.runs) = (place, canvas, runs)
    }

    private static func premultiplied(_ colour: UInt32) -> UInt32 {
        let alpha = colour >> 24
        func part(_ shift: UInt32) -> UInt32 { (((colour >> shift & 0xFF) * alpha + 127) / 255) << shift }
        return alpha << 24 | part(16) | part(8) | part(0)
    }

    /// Memory that the image takes.
    var bytes: Int { runs.count + palette.count * 4 }

    /// Rows without gaps, premultiplied.
    public var pixels: [UInt32] {
        var pixels: [UInt32] = []
        pixels.reserveCapacity(place.width * place.height)
        for run in stride(from: 0, to: runs.count - 1, by: 2) {
            let index = Int(runs[run + 1])
            let colour = index < palette.count ? palette[index] : 0
            pixels.append(contentsOf: repeatElement(colour, count: Int(runs[run])))
        }
        return pixels
    }
}

/// Makes events of decoded images, which mostly last until the next packet. Belongs to one thread.
struct SubtitleImages {
    private var shown: (images: [SubtitleImage], begin: Time, end: Time?)?
    private var bytes = 0

    /// Most memory for the images of one script. Later images are not shown.
    private static let most = 64 << 20
    /// Longest time for which an image without an end stays.
    private static let longest = Time.seconds(30)

    /// Takes the images of a packet, none of which clears the screen. Returns the event that ends with it. `begin`: nil
    /// at the end of the file.
    mutating func next(_ images: [SubtitleImage], from begin: Time?, to end: Time?) -> [SubtitleScript.Event] {
        var events: [SubtitleScript.Event] = []
        if let shown, !shown.images.isEmpty {
            let last = [shown.end, begin, shown.begin + Self.longest].compactMap { $0 }.min() ?? shown.begin
            if last > shown.begin { events.append(SubtitleScript.Event(shown.images, shown.begin, last)) }
        }
        bytes += images.reduce(0) { $0 + $1.bytes }
        shown = begin.map { (bytes > Self.most ? [] : images, $0, end) }
        return events
    }
}
