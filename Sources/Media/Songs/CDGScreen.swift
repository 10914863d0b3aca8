/// The screen that a CDG draws on, one packet after the other: 300x216 pixels of 16 colours.
///
/// A damaged packet costs only its own drawing.
struct CDGScreen {
    static let (width, height) = (300, 216)
    static let packetSize = 24
    static let packetsPerSecond = 300

    private static let (tileWidth, tileHeight) = (6, 12)

    /// Colour index of each pixel, including the border's.
    private var pixels = [UInt8](repeating: 0, count: width * height)
    /// The palette: red, green and blue, 8 bits each.
    private var colours = [(red: UInt8, green: UInt8, blue: UInt8)](repeating: (0, 0, 0), count: 16)
    /// Distance in pixels by which the area within the border is shown further to the left and further up.
    private var (left, up) = (0, 0)

    /// True if a packet is for the screen.
    static func isInstruction(_ command: UInt8) -> Bool { command & 0x3F == 9 }

    /// `packet`: 24 bytes. Returns true if the screen may look different now.
    mutating func take(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard packet.count == Self.packetSize, Self.isInstruction(packet[0]) else { return false }
        let data = UnsafeRawBufferPointer(rebasing: packet[4..<20])
        // Discs repeat a clearing in case one is lost. Only the first counts.
        let isRepeated = data[1] & 0x0F != 0
        switch packet[1] & 0x3F {
        case 1 where isRepeated, 2 where isRepeated: return false
        case 1:
            fill(0..<Self.width, 0..<Self.height, data[0] & 0x0F)
            (left, up) = (0, 0)
        case 2: clearBorder(data[0] & 0x0F)
        case 6: drawTile(data) { $1 }
        case 38: drawTile(data) { $0 ^ $1 }
        case 20: scroll(data, filling: data[0] & 0x0F)
        case 24: scroll(data, filling: nil)
        case 30: setColours(data, from: 0)
        case 31: setColours(data, from: 8)
        default: return false
        }
        return true
    }

    private mutating func clearBorder(_ colour: UInt8) {
        let (width, height) = (Self.width, Self.height)
        let (tileWidth, tileHeight) = (Self.tileWidth, Self.tileHeight)
        fill(0..<width, 0..<tileHeight, colour)
        fill(0..<width, (height - tileHeight)..<height, colour)
        fill(0..<tileWidth, 0..<height, colour)
        fill((width - tileWidth)..<width, 0..<height, colour)
    }

    private mutating func drawTile(_ data: UnsafeRawBufferPointer, _ mix: (UInt8, UInt8) -> UInt8) {
        let (off, on) = (data[0] & 0x0F, data[1] & 0x0F)
        let row = Int(data[2] & 0x1F) * Self.tileHeight, column = Int(data[3] & 0x3F) * Self.tileWidth
        guard row + Self.tileHeight <= Self.height, column + Self.tileWidth <= Self.width else { return }
        for y in 0..<Self.tileHeight {
            let bits = data[4 + y]
            for x in 0..<Self.tileWidth {
                let place = (row + y) * Self.width + column + x
                pixels[place] = mix(pixels[place], bits >> UInt8(5 - x) & 1 == 0 ? off : on)
            }
        }
    }

    /// `colour`: that of the area that is uncovered; nil if the other side of the screen rolls into it.
    private mutating func scroll(_ data: UnsafeRawBufferPointer, filling colour: UInt8?) {
        let (across, along) = (data[1], data[2])
        (left, up) = (min(5, Int(across & 0x07)), min(11, Int(along & 0x0F)))
        func step(_ command: UInt8, _ size: Int) -> Int {
            switch command >> 4 & 3 {
            case 1: size
            case 2: -size
            default: 0
            }
        }
        let right = step(across, Self.tileWidth), down = step(along, Self.tileHeight)
        guard right != 0 || down != 0 else { return }
        let (width, height) = (Self.width, Self.height), old = pixels
        // The column of the old line with which the new line begins.
        let split = (width - right) % width
        for y in 0..<height {
            let from = y - down, row = (from + height) % height
            let line = old[(row * width)..<((row + 1) * width)]
            if from != row, let colour {
                fill(0..<width, y..<(y + 1), colour)
            } else {
                copy(line.dropFirst(split), to: y * width)
                copy(line.prefix(split), to: (y + 1) * width - split)
            }
        }
        guard let colour else { return }
        fill(right >= 0 ? 0..<right : (width + right)..<width, 0..<height, colour)
    }

    private mutating func copy(_ line: ArraySlice<UInt8>, to place: Int) {
        pixels.replaceSubrange(place..<(place + line.count), with: line)
    }

    private mutating func setColours(_ data: UnsafeRawBufferPointer, from number: Int) {
        for index in 0..<8 {
            let high = data[2 * index], low = data[2 * index + 1]
            let red = high >> 2 & 0x0F, green = (high & 0x03) << 2 | low >> 4 & 0x03, blue = low & 0x0F
            colours[number + index] = (red * 17, green * 17, blue * 17)
        }
    }

    private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ colour: UInt8) {
        for row in rows {
            for column in columns { pixels[row * Self.width + column] = colour }
        }
    }

    static let frameSize = width * height * 3

    /// Writes the visible frame, in bytes of red, green and blue.
    func write(to frame: inout [UInt8]) {
        let (width, height) = (Self.width, Self.height)
        frame.withUnsafeMutableBufferPointer { frame in
            for y in 0..<height {
                for x in 0..<width {
                    let colour = colours[Int(pixels[place(x, y)])], place = (y * width + x) * 3
                    (frame[place], frame[place + 1], frame[place + 2]) = colour
                }
            }
        }
    }

    /// Returns the place in `pixels` that is visible at (x, y). The border does not scroll.
    private func place(_ x: Int, _ y: Int) -> Int {
        let (width, height) = (Self.width, Self.height)
        let isInside =
            (Self.tileWidth..<(width - Self.tileWidth)).contains(x)
            && (Self.tileHeight..<(height - Self.tileHeight)).contains(y)
        return isInside ? (y + up) * width + x + left : y * width + x
    }
}
