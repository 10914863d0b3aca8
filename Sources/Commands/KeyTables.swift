import Base

extension KeyTable {
    /// Keys of a wall.
    public static let wall = KeyTable([
        KeyRow("Space", "pause or go on", alone: ["SPACE": "cycle pause"]),
        KeyRow(
            ".  ,", "one frame on, back; Alt: of any tile", alone: [".": "frame-step", ",": "frame-back-step"],
            ["Alt+.": "frame-step-any", "Alt+,": "frame-back-step-any"]),
        KeyRow(
            "\u{2190}  \u{2192}", "5 s back or on; Shift: 1 s",
            alone: ["LEFT": "seek -5", "RIGHT": "seek 5", "Shift+LEFT": "seek -1", "Shift+RIGHT": "seek 1"]),
        KeyRow("Home", "to the start, all in step", alone: ["HOME": "home"]),
        KeyRow("End", "to the last frame, and pause", alone: ["END": "end"]),
        KeyRow("[  ]", "slower, faster", alone: ["[": "speed-down", "]": "speed-up"]),
        KeyRow(
            "{  }", "half the rate, double",
            [
                "{": "nonrepeatable multiply speed 0.5", "}": "nonrepeatable multiply speed 2",
                "Ctrl+{": "nonrepeatable alone multiply speed 0.5", "Ctrl+}": "nonrepeatable alone multiply speed 2",
            ]),
        KeyRow("Backspace", "rate 1", alone: ["BS": "set speed 1"]),
        KeyRow("b", "A-B loop: A, then B, then off", alone: ["b": "ab-loop"]),
        KeyRow("Ctrl + \u{2026}", "the focused tile alone"),
        KeyRow(
            "n  p", "next or previous item", ["n": "nonrepeatable playlist-next", "p": "nonrepeatable playlist-prev"]),
        KeyRow("Drag", "scrub; on a bar: from there"),
        KeyRow(
            "1 \u{2026} 9", "focus on that tile",
            [
                "1": "focus-number 1", "2": "focus-number 2", "3": "focus-number 3", "4": "focus-number 4",
                "5": "focus-number 5", "6": "focus-number 6", "7": "focus-number 7", "8": "focus-number 8",
                "9": "focus-number 9",
            ]),
        KeyRow(
            "Tab", "focus on the next tile",
            ["TAB": "repeatable cycle focus", "Shift+TAB": "repeatable cycle focus down"]),
        KeyRow("Click", "focus there; on a bar: go there"),
        KeyRow("m  M", "mute the tile, the wall", ["m": "cycle-tile-mute", "M": "cycle mute"]),
        KeyRow("S", "hear this tile alone, and back", ["S": "solo"]),
        KeyRow("s", "screenshot; Ctrl: save the layout", ["s": "screenshot", "Ctrl+s": "layout-save-report"]),
        KeyRow(
            "\u{2191}  \u{2193}", "volume; Ctrl: the tile's; Shift: its key",
            [
                "UP": "add volume 5", "DOWN": "add volume -5",
                "Ctrl+UP": "add-tile-volume 5", "Ctrl+DOWN": "add-tile-volume -5",
                "Shift+UP": "add key 1", "Shift+DOWN": "add key -1",
                "Ctrl+Shift+UP": "add-tile-volume 5", "Ctrl+Shift+DOWN": "add-tile-volume -5",
            ]),
        KeyRow("(  )", "balance to the left, to the right", ["(": "add balance -0.125", ")": "add balance 0.125"]),
        KeyRow(
            "+  \u{2212}", "magnify, reduce; Ctrl: sound later, earlier",
            [
                "+": "magnify-step 1", "-": "magnify-step -1",
                "Ctrl++": "add audio-delay 0.01", "Ctrl+-": "add audio-delay -0.01",
            ]),
        KeyRow("0", "whole frames again", ["0": "magnify-reset"]),
        KeyRow("Wheel, pinch", "magnify there; right drag: move"),
        KeyRow("a", "next sound track", ["a": "cycle aid"]),
        KeyRow("j  J", "next, previous subtitles, off", ["j": "cycle sid", "J": "cycle sid down"]),
        KeyRow("l", "mute its first stem, and back", ["l": "cycle-stem-mute 0"]),
        KeyRow("z", "fill the wall, and back", ["z": "cycle-zoom"]),
        KeyRow("c", "compare with the tile focused before", ["c": "cycle-compare"]),
        KeyRow(
            "v  V", "comparing: next, previous mode", ["v": "cycle-compare-mode", "V": "cycle-compare-mode down"]),
        KeyRow("x", "comparing: change sides", ["x": "compare-change-sides"]),
        KeyRow("r", "wipe: turn the line; a drag moves it", ["r": "compare-turn-line"]),
        KeyRow("R", "record, and end the recording", ["R": "cycle-record"]),
        KeyRow(
            "g  G", "difference: gain doubled, halved", ["g": "compare-gain double", "G": "compare-gain halve"]),
        KeyRow(
            "t  T", "offset by one frame; Ctrl: by 1 ms",
            [
                "t": "nudge-frames 1", "T": "nudge-frames -1",
                "Ctrl+t": "nudge-seconds 0.001", "Ctrl+T": "nudge-seconds -0.001",
            ]),
        KeyRow("y", "figures: PSNR, SSIM, plot, values", ["y": "cycle figures"]),
        KeyRow("N", "figures: to the next worst frame", ["N": "next-worst"]),
        KeyRow("F5", "try failed sources again", ["F5": "retry all"]),
        KeyRow("w", "picture in picture", ["w": "picture-in-picture"]),
        KeyRow("f  F11", "full screen", ["f": "cycle fullscreen", "F11": "cycle fullscreen"]),
        KeyRow("Esc", "back", ["ESC": "escape"]),
        KeyRow("i", "information on each tile", ["i": "cycle-info"]),
        KeyRow("h  ?", "these keys", ["h": "cycle-help", "?": "cycle-help"]),
        KeyRow("q", "quit", ["q": "quit"]),
    ])

    /// Keys of a blind test: those that reveal nothing about the two clips.
    public static let blind = KeyTable(
        [
            KeyRow("a  b", "see A, see B", ["a": "blind-show a", "b": "blind-show b"]),
            KeyRow("x", "see X, which is one of them", ["x": "blind-show x"]),
            KeyRow("Enter", "X is what is seen now: A or B", ["ENTER": "blind-answer"]),
            KeyRow("Space", "pause or go on", ["SPACE": "cycle pause"]),
            KeyRow(".  ,", "one frame on, one back", [".": "frame-step", ",": "frame-back-step"]),
            KeyRow(
                "\u{2190}  \u{2192}", "5 s back or on; Shift: 1 s",
                ["LEFT": "seek -5", "RIGHT": "seek 5", "Shift+LEFT": "seek -1", "Shift+RIGHT": "seek 1"]),
            KeyRow("Home", "to the start", ["HOME": "home"]),
            KeyRow("[  ]", "slower, faster", ["[": "speed-down", "]": "speed-up"]),
            KeyRow("Backspace", "rate 1", ["BS": "set speed 1"]),
            KeyRow("+  \u{2212}", "frames larger, smaller", ["+": "magnify-step 1", "-": "magnify-step -1"]),
            KeyRow("0", "all of the frames", ["0": "magnify-reset"]),
            KeyRow("Wheel, pinch", "frames larger, smaller there; right drag: move"),
            KeyRow("f  F11", "full screen", ["f": "cycle fullscreen", "F11": "cycle fullscreen"]),
            KeyRow("h  ?", "these keys", ["h": "cycle-help", "?": "cycle-help"]),
            KeyRow("Esc  q", "the end, and the score so far", ["ESC": "escape", "q": "quit"]),
        ], pointer: .magnifying)
}
