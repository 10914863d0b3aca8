/// Prepares SRT and WebVTT files for FFmpeg: in UTF-8, and without the WebVTT blocks at which FFmpeg 5 stops.
public enum SubtitleText {
    public enum Format: String, Sendable { case srt, webvtt }

    /// Returns the format by content; nil if it is neither. `named`: the format that the file's name suggests.
    public static func format(of bytes: [UInt8], named: Format) -> Format? {
        var format: Format?
        var isFirst = true
        TextLines(bytes).forEach { _, line in
            if isFirst, line.hasPrefix("WEBVTT") { format = .webvtt }
            if format == nil, line.contains("-->") { format = named }
            if !line.isEmpty { isFirst = false }
        }
        return format
    }

    public static func plain(_ bytes: [UInt8], _ format: Format) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var (isFirstOfBlock, isLeftOut) = (true, false)
        TextLines(bytes).forEach { _, line in
            let isBlank = line.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isFirstOfBlock { isLeftOut = format == .webvtt && isStyle(line) }
            isFirstOfBlock = isBlank
            if isBlank { isLeftOut = false }
            if isLeftOut { return }
            text += line.utf8
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// True if the block sets the style of cues, or the place of regions.
    private static func isStyle(_ line: String) -> Bool {
        let word = line.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return ["STYLE", "REGION"].contains(String(word))
    }
}
