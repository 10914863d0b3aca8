/// Mistakes in tiles that compare, in the format of `mistakesTable`.
let comparisonMistakesTable = #"""
    {"tiles": [{"id": "a", "play": "a.mp4"}, {"compare": ["a"]}]}
        1:54: tiles[1].compare: a list of 1 is wrong here; a list of 2 to 9 tiles' ids or sources would be right
    {"tiles": [{"id": "left", "play": "a.mp4"}, {"compare": ["left", "lefd"]}]}
        1:66: tiles[1].compare[1]: no tile is called "lefd"; did you mean "left"?
    {"tiles": [{"id": "a", "play": "a.mp4"}, {"id": "ab", "compare": ["a", "ab"]}]}
        1:72: tiles[1].compare[1]: a tile can't compare itself; another tile's id would be right
    {"tiles": [{"id": "a", "compare": ["b", "x.mp4"]}, {"id": "b", "compare": ["a", "y.mp4"]}]}
        1:36: tiles[0].compare[0]: "b" compares tiles itself; the id of one that plays would be right
        1:76: tiles[1].compare[0]: "a" compares tiles itself; the id of one that plays would be right
    {"pipelines": 2, "tiles": [{"compare": ["a.mp4", "b.mp4", "c.mp4"]}]}
        1:40: tiles[0].compare: 3 are compared at once, and there are 2 pipelines; "pipelines": 3 would be right
    {"tiles": [{"compare": ["1.mp4", "2.mp4", "3.mp4", "4.mp4", "5.mp4", "6.mp4", "7.mp4", "8.mp4", "9.mp4", "0.mp4"]}]}
        1:24: tiles[0].compare: a list of 10 is wrong here; a list of 2 to 9 tiles' ids or sources would be right
    {"tiles": [{"id": "a", "play": "a.mp4", "group": "x"}, {"id": "b", "play": "b.mp4"}, {"compare": ["a", "b"]}]}
        1:104: tiles[2].compare[1]: "b" is of the group "main" and "a" of "x"; tiles of one group would be right
    {"tiles": [{"play": "a.mp4", "compare": ["b.mp4", "c.mp4"]}, {"play": "a.mp4", "gain": 2}]}
        1:30: tiles[0].compare: not allowed here; a tile plays or compares, not both
        1:80: tiles[1].gain: not allowed here; it goes with "compare"
    {"tiles": [{"compare": ["b.mp4", {"sr": "c.mp4"}], "mode": "wype", "gain": 0, "at": 2, "angle": "up"}]}
        1:34: tiles[0].compare[1].src: missing; a file or a URL, or "segments", would be right
        1:35: tiles[0].compare[1].sr: no such key; did you mean "src"?
        1:60: tiles[0].mode: "wype" is not known; did you mean "wipe"? "wipe", "difference", "signed", "heat", \#
    "blink" or "overlay" would be right
        1:76: tiles[0].gain: 0 is too small; a number from 0.125 to 64, or "auto", would be right
        1:85: tiles[0].at: 2 is too large; a number from 0 to 1 would be right
        1:97: tiles[0].angle: "up" is wrong here; degrees from -360 to 360 would be right
    """#
