/// A text, then its mistakes, indented and without the file's name. ⏎ ␍ and ⇥ stand for line feed, carriage return and
/// tab, ∅ for an empty text.
let mistakesTable = #"""
    []
        1:1: layout: an empty list is wrong here; an object with "tiles" would be right
    "a.mp4"
        1:1: layout: "a.mp4" is wrong here; an object with "tiles" would be right
    {}
        1:1: tiles: missing; a list of at least one tile would be right
    {"tiles": []}
        1:11: tiles: an empty list is wrong here; a list of at least one tile would be right
    {"tiles": {}}
        1:11: tiles: an object is wrong here; a list of at least one tile would be right
    {"tiles": null}
        1:11: tiles: null is wrong here; a list of at least one tile would be right
    {"tiles": ["a"]}
        1:12: tiles[0]: "a" is wrong here; an object with "play" would be right
    {"tiles": [{}]}
        1:12: tiles[0].play: missing; a file, a URL, an item or a list of them would be right
    {"titel": "a", "tiles": [{"play": "a"}]}
        1:2: titel: no such key; did you mean "title"?
    {"title": 3, "tiles": [{"play": "a"}]}
        1:11: title: 3 is wrong here; a text that is not empty would be right
    {"title": "a", "title": "b", "tiles": [{"play": "a"}]}
        1:16: title: given twice; once would be right
    {"zebra": 1, "tiles": [{"play": "a"}]}
        1:2: zebra: no such key; the layout itself may have "title", "window", "pipelines", "overflow", "quality", \#
    "memory", "max-pixels", "tone-mapping", "hidden", "on-screen-errors", "stale-after", "frozen-after", "grid", \#
    "groups", "audio", "keys", "schedule", "breaks", \#
    "compare" or "tiles"
    {"a b": 1, "tiles": [{"play": "a"}]}
        1:2: ["a b"]: no such key; the layout itself may have "title", "window", "pipelines", "overflow", \#
    "quality", "memory", "max-pixels", "tone-mapping", "hidden", "on-screen-errors", "stale-after", \#
    "frozen-after", "grid", "groups", "audio", "keys", "schedule", "breaks", \#
    "compare" or "tiles"
    {"Grid": {}, "tiles": [{"play": "a"}]}
        1:2: Grid: no such key; did you mean "grid"?
    {"fit": "cover", "tiles": [{"play": "a"}]}
        1:2: fit: not allowed here; it belongs to a tile, not to the layout itself
    {"schedule": 3, "tiles": [{"play": "a"}]}
        1:14: schedule: 3 is wrong here; a list of entries such as {"days": "mon-fri", "from": "22:00", "to": \#
    "06:00", "show": "night.json"} would be right
    {"schedule": [5], "tiles": [{"play": "a"}]}
        1:15: schedule[0]: 5 is wrong here; an entry such as {"days": "mon-fri", "from": "22:00", "to": "06:00", \#
    "show": "night.json"} would be right
    {"schedule": [{}], "tiles": [{"play": "a"}]}
        1:15: schedule[0].show: missing; a layout's file, or "display": "off", would be right
    {"schedule": [{"show": "b.json", "display": "off"}], "tiles": [{"play": "a"}]}
        1:34: schedule[0].display: a layout is shown, or the display is off; one would be right
    {"schedule": [{"display": "on"}], "tiles": [{"play": "a"}]}
        1:27: schedule[0].display: "on" is wrong here; "off" would be right
    {"schedule": [{"show": "b.json", "cec": true}], "tiles": [{"play": "a"}]}
        1:34: schedule[0].cec: has no effect alone; "display": "off" beside it would be right
    {"schedule": [{"show": "http://h/b.json"}], "tiles": [{"play": "a"}]}
        1:24: schedule[0].show: "http://h/b.json" is wrong here; a layout's file would be right
    {"schedule": [{"show": "b", "from": "24:00", "to": "6:00"}], "tiles": [{"play": "a"}]}
        1:37: schedule[0].from: "24:00" is not a time of day; "06:00" or "06:00:30" would be right
        1:52: schedule[0].to: "6:00" is not a time of day; "22:00", "22:00:30" or "24:00" would be right
    {"schedule": [{"show": "b", "to": "24:01", "from": 8}], "tiles": [{"play": "a"}]}
        1:35: schedule[0].to: "24:01" is not a time of day; "22:00", "22:00:30" or "24:00" would be right
        1:52: schedule[0].from: 8 is not a time of day; "06:00" or "06:00:30" would be right
    {"schedule": [{"show": "b", "days": "mon-"}], "tiles": [{"play": "a"}]}
        1:37: schedule[0].days: "mon-" is wrong here; days such as "mon-fri,sun" would be right
    {"schedule": [{"show": "b", "days": ["mon"]}], "tiles": [{"play": "a"}]}
        1:37: schedule[0].days: a list is wrong here; days such as "mon-fri,sun" would be right
    {"schedule": [{"show": "b", "dates": ["2026-02-30", 3]}], "tiles": [{"play": "a"}]}
        1:39: schedule[0].dates[0]: "2026-02-30" is not a date; a date such as "2026-12-24" would be right
        1:53: schedule[0].dates[1]: 3 is not a date; a date such as "2026-12-24" would be right
    {"schedule": [{"show": "b", "dates": []}], "tiles": [{"play": "a"}]}
        1:38: schedule[0].dates: an empty list is wrong here; a list of dates such as ["2026-12-24"] would be right
    {"schedule": [{"show": "b", "date": "2026-12-24"}], "tiles": [{"play": "a"}]}
        1:29: schedule[0].date: no such key; did you mean "dates"?
    {"breaks": 3, "tiles": [{"play": "a"}, {"compare": ["x.mp4", "y.mp4"], "id": "c"}]}
        1:12: breaks: 3 is wrong here; a list of breaks such as {"name": "ad", "every": 600, "play": ["ad.mp4"]} \#
    would be right
    {"breaks": [{}], "tiles": [{"play": "a"}, {"compare": ["x.mp4", "y.mp4"], "id": "c"}]}
        1:13: breaks[0].play: missing; a file, a URL, an item or a list of them would be right
    {"breaks": [{"play": "b", "every": 0.5}], "tiles": [{"play": "a"}, {"compare": ["x.mp4", "y.mp4"], "id": "c"}]}
        1:36: breaks[0].every: 0.5 is too small; a time from 1 to 100000000 s would be right
    {"breaks": [{"play": "b", "at": ["24:00"]}], "tiles": [{"play": "a"}, {"compare": ["x.mp4", "y.mp4"], "id": "c"}]}
        1:34: breaks[0].at[0]: "24:00" is not a time of day; "12:00" or "12:00:30" would be right
    {"breaks": [{"play": "b", "tiles": ["c"]}], "tiles": [{"play": "a"}, {"compare": ["x.mp4", "y.mp4"], "id": "c"}]}
        1:37: breaks[0].tiles[0]: no tile is called "c"; "tile1" would be right
    {"breaks": [{"play": "b", "tiles": ["tile1", "tile1"]}], "tiles": [{"play": "a"}, {"compare": ["x.mp4", \#
    "y.mp4"], "id": "c"}]}
        1:46: breaks[0].tiles[1]: "tile1" is given twice; once would be right
    {"breaks": [{"play": "b", "name": "none"}], "tiles": [{"play": "a"}, {"compare": ["x.mp4", "y.mp4"], "id": "c"}]}
        1:35: breaks[0].name: "none" is wrong here; a name without "/", and none of none, alone and all, would be \#
    right
    {"breaks": [{"play": "b", "name": "x"}, {"play": "b", "name": "x"}], "tiles": [{"play": "a"}, {"compare": \#
    ["x.mp4", "y.mp4"], "id": "c"}]}
        1:63: breaks[1].name: "x" is another break's name; one of its own would be right
    {"breaks": [{"play": "b", "then": "zoom tile2", "first": "break c"}, {"name": "d", "play": "b", "then": "break d", \#
    "once": 1}], "tiles": [{"play": "a"}]}
        1:35: breaks[0].then: no tile is called "tile2"; did you mean "tile1"?
        1:58: breaks[0].first: no break is called "c"
        1:124: breaks[1].once: 1 is wrong here; true or false would be right
    {"breaks": [{"play": "b", "then": "zom none"}], "tiles": [{"play": "a"}]}
        1:35: breaks[0].then: "zom none" is wrong here; no command is called "zom"; did you mean "zoom"?
    {"breaks": [{"play": "b", "when": "end"}], "tiles": [{"play": "a"}, {"compare": ["x.mp4", "y.mp4"], "id": "c"}]}
        1:35: breaks[0].when: "end" is wrong here; "item-end" or "now" would be right
    {⏎  "title": "b",⏎  "tiles": [{"play": "a", "transition": 1}]⏎}
        3:41: tiles[0].transition: 1 is wrong here; "cut" or {"fade": seconds} would be right
    {"memory": "auto", "tiles": [{"play": "a"}]}
        1:12: memory: "auto" is wrong here; a whole number from 16 to 65536 would be right
    {"tiles": [{"play": "a", "transition": "fade"}, {"play": {"src": "a", "transition": {}}}]}
        1:40: tiles[0].transition: "fade" is wrong here; "cut" or {"fade": seconds} would be right
        1:85: tiles[1].play.transition.fade: missing; a time up to 2 s would be right
    {"tiles": [{"play": "a", "transition": {"fade": 2.5}}, {"play": "a", "transition": {"fade": -1, "wipe": 1}}]}
        1:49: tiles[0].transition.fade: 2.5 is too large; a time from 0 to 2 s would be right
        1:93: tiles[1].transition.fade: -1 is too small; a time from 0 to 2 s would be right
        1:97: tiles[1].transition.wipe: no such key; a transition may have "fade"
    {"tiles": [{"play": {"segments": [{"src": "a", "transition": "cut"}]}}, {"compare": [{"src": "a", "transition": "cut"}, "b.mp4"]}]}
        1:48: tiles[0].play.segments[0].transition: not allowed here; it belongs to a tile or an item of "play", not \#
    to a segment
        1:99: tiles[1].compare[0].transition: not allowed here; it belongs to a tile or an item of "play", not to an \#
    item of "compare"
    {"window": [], "tiles": [{"play": "a"}]}
        1:12: window: an empty list is wrong here; an object with "size", "position", "display", "fullscreen", \#
    "borderless", "background" or "input" would be right
    {"window": {"size": [1280]}, "tiles": [{"play": "a"}]}
        1:21: window.size: a list of 1 is wrong here; [width, height], each from 16 to 16384, would be right
    {"window": {"size": [15, 16385]}, "tiles": [{"play": "a"}]}
        1:22: window.size[0]: 15 is too small; a whole number from 16 to 16384 would be right
        1:26: window.size[1]: 16385 is too large; a whole number from 16 to 16384 would be right
    {"window": {"size": "1280x720"}, "tiles": [{"play": "a"}]}
        1:21: window.size: "1280x720" is wrong here; [width, height], each from 16 to 16384, would be right
    {"window": {"position": [0.5, 0]}, "tiles": [{"play": "a"}]}
        1:26: window.position[0]: 0.5 is not whole; a whole number from -65536 to 65536 would be right
    {"window": {"display": -1}, "tiles": [{"play": "a"}]}
        1:24: window.display: -1 is too small; a whole number from 0 to 255 would be right
    {"window": {"fullscreen": "while-plaing"}, "tiles": [{"play": "a"}]}
        1:27: window.fullscreen: "while-plaing" is not known; did you mean "while-playing"? true, false or \#
    "while-playing" would be right
    {"window": {"fullscreen": 1}, "tiles": [{"play": "a"}]}
        1:27: window.fullscreen: 1 is wrong here; true, false or "while-playing" would be right
    {"window": {"borderless": "yes"}, "tiles": [{"play": "a"}]}
        1:27: window.borderless: "yes" is wrong here; true or false would be right
    {"window": {"background": "#12345"}, "tiles": [{"play": "a"}]}
        1:27: window.background: "#12345" is wrong here; a colour such as "#1a2b3c" would be right
    {"window": {"background": "red"}, "tiles": [{"play": "a"}]}
        1:27: window.background: "red" is wrong here; a colour such as "#1a2b3c" would be right
    {"window": {"background": "#12345g"}, "tiles": [{"play": "a"}]}
        1:27: window.background: "#12345g" is wrong here; a colour such as "#1a2b3c" would be right
    {"window": {"input": "nothing"}, "tiles": [{"play": "a"}]}
        1:22: window.input: "nothing" is wrong here; "all" or "none" would be right
    {"window": {"boarderless": true}, "tiles": [{"play": "a"}]}
        1:13: window.boarderless: no such key; did you mean "borderless"?
    {"pipelines": 0, "tiles": [{"play": "a"}]}
        1:15: pipelines: 0 is too small; a whole number from 1 to 64 or "auto" would be right
    {"pipelines": 65, "tiles": [{"play": "a"}]}
        1:15: pipelines: 65 is too large; a whole number from 1 to 64 or "auto" would be right
    {"pipelines": 2.5, "tiles": [{"play": "a"}]}
        1:15: pipelines: 2.5 is not whole; a whole number from 1 to 64 or "auto" would be right
    {"pipelines": "four", "tiles": [{"play": "a"}]}
        1:15: pipelines: "four" is wrong here; a whole number from 1 to 64 or "auto" would be right
    {"pipelines": 1e999, "tiles": [{"play": "a"}]}
        1:15: pipelines: 1e999 is too large; a whole number from 1 to 64 or "auto" would be right
    {"overflow": "rotation", "tiles": [{"play": "a"}]}
        1:14: overflow: "rotation" is wrong here; {"rotate": seconds}, "rotate", "first" or "largest" would be right
    {"overflow": {"rotate": 0}, "tiles": [{"play": "a"}]}
        1:25: overflow.rotate: 0 is too small; a time from 0.1 to 86400 s would be right
    {"overflow": {}, "tiles": [{"play": "a"}]}
        1:14: overflow.rotate: missing; {"rotate": seconds} would be right
    {"overflow": {"rotate": "soon"}, "tiles": [{"play": "a"}]}
        1:25: overflow.rotate: "soon" is not a time; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
    {"overflow": 10, "tiles": [{"play": "a"}]}
        1:14: overflow: 10 is wrong here; {"rotate": seconds}, "rotate", "first" or "largest" would be right
    {"overflow": {"rotat": 3}, "tiles": [{"play": "a"}]}
        1:14: overflow.rotate: missing; {"rotate": seconds} would be right
        1:15: overflow.rotat: no such key; did you mean "rotate"?
    {"quality": "exakt", "tiles": [{"play": "a"}]}
        1:13: quality: "exakt" is not known; did you mean "exact"? "exact" or "auto" would be right
    {"quality": true, "tiles": [{"play": "a"}]}
        1:13: quality: true is wrong here; "exact" or "auto" would be right
    {"memory": 15, "tiles": [{"play": "a"}]}
        1:12: memory: 15 is too small; a whole number from 16 to 65536 would be right
    {"memory": 65537, "tiles": [{"play": "a"}]}
        1:12: memory: 65537 is too large; a whole number from 16 to 65536 would be right
    {"hidden": "paused", "tiles": [{"play": "a"}]}
        1:12: hidden: "paused" is not known; did you mean "pause"? "run", "sound" or "pause" would be right
    {"grid": {"columns": 0}, "tiles": [{"play": "a"}]}
        1:22: grid.columns: 0 is too small; a whole number from 1 to 64 would be right
    {"grid": {"rows": 65}, "tiles": [{"play": "a"}]}
        1:19: grid.rows: 65 is too large; a whole number from 1 to 64 would be right
    {"grid": {"gap": -1}, "tiles": [{"play": "a"}]}
        1:18: grid.gap: -1 is too small; a whole number from 0 to 16384 would be right
    {"grid": {"margin": 640}, "tiles": [{"play": "a"}]}
        1:10: grid: gap and margin take all 1280 pixels of the window's width; smaller ones would be right
    {"grid": {"colums": 2}, "tiles": [{"play": "a"}]}
        1:11: grid.colums: no such key; did you mean "columns"?
    {"grid": 2, "tiles": [{"play": "a"}]}
        1:10: grid: 2 is wrong here; an object with "columns", "rows", "gap" or "margin" would be right
    {"groups": {"main": {"loop": "togehter"}}, "tiles": [{"play": "a"}]}
        1:30: groups.main.loop: "togehter" is not known; did you mean "together"? "each" or "together" would be right
    {"groups": {"main": {"until": 3}}, "tiles": [{"play": "a"}]}
        1:31: groups.main.until: 3 is wrong here; "longest" or "shortest" would be right
    {"groups": {"": {}}, "tiles": [{"play": "a"}]}
        1:13: groups[""]: a name that is not empty would be right
    {"groups": [], "tiles": [{"play": "a"}]}
        1:12: groups: an empty list is wrong here; an object of groups by name would be right
    {"groups": {"main": true}, "tiles": [{"play": "a"}]}
        1:21: groups.main: true is wrong here; an object with "loop", "until", "at", "rate" or "part" would be right
    {"groups": {"a": {}, "a": {}}, "tiles": [{"play": "a"}]}
        1:22: groups.a: given twice; once would be right
    {"groups": {"Left": {}}, "tiles": [{"play": "a", "group": "left"}]}
        1:59: tiles[0].group: there is no such group; did you mean "Left"?
    {"audio": {"mode": "all"}, "tiles": [{"play": "a"}]}
        1:20: audio.mode: "all" is wrong here; "focus" or "mix" would be right
    {"audio": {"focus": "tile2"}, "tiles": [{"play": "a"}]}
        1:21: audio.focus: no tile is called "tile2"; did you mean "tile1"?
    {"audio": {"focus": "left"}, "tiles": [{"play": "a"}]}
        1:21: audio.focus: no tile is called "left"; "tile1" would be right
    {"audio": {"focus": 1}, "tiles": [{"play": "a"}]}
        1:21: audio.focus: 1 is wrong here; a tile's id would be right
    {"audio": {"volume": 101}, "tiles": [{"play": "a"}]}
        1:22: audio.volume: 101 is too large; a whole number from 0 to 100 would be right
    {"audio": {"delay": 1001}, "tiles": [{"play": "a"}]}
        1:21: audio.delay: 1001 is too large; a whole number from -1000 to 1000 would be right
    {"audio": {"input": ""}, "tiles": [{"play": "a"}]}
        1:21: audio.input: "" is wrong here; a sound input's name would be right
    {"audio": {"input": 1}, "tiles": [{"play": "a"}]}
        1:21: audio.input: 1 is wrong here; a sound input's name would be right
    {"audio": {"monitor": "yes"}, "tiles": [{"play": "a"}]}
        1:23: audio.monitor: "yes" is wrong here; true or false would be right
    {"audio": {"bed": {}}, "tiles": [{"play": "a"}]}
        1:19: audio.bed.src: missing; a file or a URL would be right
    {"audio": {"bed": ""}, "tiles": [{"play": "a"}]}
        1:19: audio.bed: "" is wrong here; a file or a URL would be right
    {"audio": {"bed": {"src": "a", "clock": "main"}}, "tiles": [{"play": "a"}]}
        1:41: audio.bed.clock: "main" is wrong here; "own" or "wall" would be right
    {"audio": {"bed": 7}, "tiles": [{"play": "a"}]}
        1:19: audio.bed: 7 is wrong here; a file, a URL or an object with "src" would be right
    {"tiles": [{"play": "a", "id": ""}]}
        1:32: tiles[0].id: "" is wrong here; a name that is not empty would be right
    {"tiles": [{"play": "a", "id": 5}]}
        1:32: tiles[0].id: 5 is wrong here; a name that is not empty would be right
    {"tiles": [{"play": "a", "id": "x"}, {"play": "a", "id": "x"}]}
        1:58: tiles[1].id: "x" is another tile's name; one of its own would be right
    {"tiles": [{"play": "a", "id": "a/b"}]}
        1:32: tiles[0].id: "a/b" is wrong here; a name without "/", and none of none, alone and all, would be right
    {"tiles": [{"play": "a", "id": "none", "group": "all"}]}
        1:32: tiles[0].id: "none" is wrong here; a name without "/", and none of none, alone and all, would be right
        1:49: tiles[0].group: "all" is wrong here; a name without "/", and none of none, alone and all, would be right
    {"groups": {"x/y": {}}, "tiles": [{"play": "a"}]}
        1:13: groups["x/y"]: a group can't be called "x/y"; a name without "/", and none of none, alone and all, \#
    would be right
    {"tiles": [{"play": "a", "cell": [0]}]}
        1:34: tiles[0].cell: a list of 1 is wrong here; [column, row], both from 0, would be right
    {"tiles": [{"play": "a", "cell": [1, 0]}]}
        1:34: tiles[0].cell: [1, 0] lies outside a grid of 1 column and 1 row; [0, 0] to [0, 0], or a larger grid, \#
    would be right
    {"tiles": [{"play": "a", "cell": [-1, 0]}]}
        1:35: tiles[0].cell[0]: -1 is too small; a whole number from 0 to 63 would be right
    {"tiles": [{"play": "a", "span": [0, 1]}]}
        1:35: tiles[0].span[0]: 0 is too small; a whole number from 1 to 64 would be right
    {"tiles": [{"play": "a", "span": [2, 1]}]}
        1:34: tiles[0].span: [2, 1] reaches beyond a grid of 1 column and 1 row; at most [1, 1], or a larger grid, \#
    would be right
    {"tiles": [{"play": "a", "cell": [0, 0], "span": [1, 2]}]}
        1:50: tiles[0].span: [1, 2] reaches beyond a grid of 1 column and 1 row; at most [1, 1], or a larger grid, \#
    would be right
    {"tiles": [{"play": "a", "cell": [0, 0], "rect": [0, 0, 1, 1]}]}
        1:42: tiles[0].rect: not allowed here; "cell" or "rect" would be right, not both
    {"tiles": [{"play": "a", "rect": [0, 0, 1, 1], "cell": [0, 0]}]}
        1:48: tiles[0].cell: not allowed here; "cell" or "rect" would be right, not both
    {"tiles": [{"play": "a", "rect": [0, 0, 1, 1], "span": [1, 1]}]}
        1:48: tiles[0].span: not allowed here; "span" goes with a cell, and this tile has a "rect"
    {"tiles": [{"play": "a", "rect": [0, 0, 1]}]}
        1:34: tiles[0].rect: a list of 3 is wrong here; [x, y, w, h] would be right, in fractions of the window or \#
    in whole pixels of window.size
    {"tiles": [{"play": "a", "rect": [0.5, 0, 640, 360]}]}
        1:34: tiles[0].rect: fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right
    {"tiles": [{"play": "a", "rect": [100, 0, 0.5, 0.5]}]}
        1:34: tiles[0].rect: fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right
    {"tiles": [{"play": "a", "rect": [-0.1, 0, 1, 1]}]}
        1:35: tiles[0].rect[0]: -0.1 is too small; a number from 0 to 1 would be right
    {"tiles": [{"play": "a", "rect": [0, 0, 0, 1]}]}
        1:41: tiles[0].rect[2]: 0 is too small; a number above 0 would be right
    {"tiles": [{"play": "a", "rect": [0, 0, 10, -5]}]}
        1:45: tiles[0].rect[3]: -5 is too small; a number above 0 would be right
    {"tiles": [{"play": "a", "rect": "all"}]}
        1:34: tiles[0].rect: "all" is wrong here; [x, y, w, h] would be right, in fractions of the window or in \#
    whole pixels of window.size
    {"tiles": [{"play": "a", "rect": [0, 0, 1, "1"]}]}
        1:44: tiles[0].rect[3]: "1" is wrong here; a number from -65536 to 65536 would be right
    {"grid": {"columns": 1, "rows": 1}, "tiles": [{"play": "a"}, {"play": "b"}, {"play": "c"}]}
        1:62: tiles[1]: no free place is left for it in a grid of 1 column and 1 row; a larger grid would be right
    {"tiles": [{"play": "a", "group": ""}]}
        1:35: tiles[0].group: "" is wrong here; a group's name would be right
    {"tiles": [{"play": "a", "offset": "1:60"}]}
        1:36: tiles[0].offset: "1:60" is not a time; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
    {"tiles": [{"play": "a", "offset": true}]}
        1:36: tiles[0].offset: true is wrong here; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
    {"tiles": [{"play": "a", "loop": 0}]}
        1:34: tiles[0].loop: 0 is too small; a whole number from 1 to 1000000000, true or false would be right
    {"tiles": [{"play": "a", "loop": "yes"}]}
        1:34: tiles[0].loop: "yes" is wrong here; a whole number from 1 to 1000000000, true or false would be right
    {"tiles": [{"play": "a", "loop": 1.5}]}
        1:34: tiles[0].loop: 1.5 is not whole; a whole number from 1 to 1000000000, true or false would be right
    {"tiles": [{"play": "a", "fit": "fill"}]}
        1:33: tiles[0].fit: "fill" is wrong here; "contain", "cover" or "stretch" would be right
    {"tiles": [{"play": "a", "fit": "covr"}]}
        1:33: tiles[0].fit: "covr" is not known; did you mean "cover"? "contain", "cover" or "stretch" would be right
    {"tiles": [{"play": "a", "poster": false}]}
        1:36: tiles[0].poster: false is wrong here; a file or a URL of an image, or "auto", would be right
    {"tiles": [{"play": "a", "mute": 0}]}
        1:34: tiles[0].mute: 0 is wrong here; true or false would be right
    {"tiles": [{"play": "a", "balance": 1.5}]}
        1:37: tiles[0].balance: 1.5 is too large; a number from -1 to 1 would be right

    {"tiles": [{"play": "a", "volume": -1}]}
        1:36: tiles[0].volume: -1 is too small; a whole number from 0 to 100 would be right
    {"tiles": [{"play": "a", "label": 3}]}
        1:35: tiles[0].label: 3 is wrong here; a text would be right
    {"tiles": [{"play": "a", "pip": "automatic"}]}
        1:33: tiles[0].pip: "automatic" is wrong here; true, false or "auto" would be right
    {"tiles": [{"play": "a", "pip": "aut"}]}
        1:33: tiles[0].pip: "aut" is not known; did you mean "auto"? true, false or "auto" would be right
    {"tiles": [{"play": "a", "on-error": "skip"}]}
        1:38: tiles[0].on-error: "skip" is wrong here; "next", "hold" or "stop" would be right
    {"tiles": [{"play": "a", "onerror": "next"}]}
        1:26: tiles[0].onerror: no such key; did you mean "on-error"?
    {"tiles": [{"play": "a", "rate": 2}]}
        1:26: tiles[0].rate: not allowed here; it belongs to a group, an item of "play" or a segment, not to a tile
    {"tiles": [{"play": "a", "src": "a"}]}
        1:26: tiles[0].src: no such key; "play" would be right
    {"tiles": [{"play": ""}]}
        1:21: tiles[0].play: "" is wrong here; a file or a URL would be right
    {"tiles": [{"play": []}]}
        1:21: tiles[0].play: an empty list is wrong here; a file, a URL, an item or a list of them would be right
    {"tiles": [{"play": 5}]}
        1:21: tiles[0].play: 5 is wrong here; a file, a URL, an item or a list of them would be right
    {"tiles": [{"play": ["a", ["b"]]}]}
        1:27: tiles[0].play[1]: a list is wrong here; a file, a URL or an item would be right
    {"tiles": [{"play": "a\u0000b"}]}
        1:21: tiles[0].play: "aU+0000b" has a character that is not allowed in file names; a file or a URL \#
    would be right
    {"tiles": [{"play": "htps://joe:secret@h/x?y=z"}]}
        1:21: tiles[0].play: "htps://" is not supported; did you mean "https://"? a file, or a URL of file, http, \#
    https, rtsp, rtsps, rtmp, rtmps, udp, rtp, srt, tcp, v4l2, \#
    x11grab or pulse would be right
    {"tiles": [{"play": ["a", {"src": "GOPHER://h"}], "poster": "concat+x.y://h"}]}
        1:35: tiles[0].play[1].src: "gopher://" is not supported; a file, or a URL of file, http, https, rtsp, \#
    rtsps, rtmp, rtmps, udp, rtp, srt, tcp, v4l2, \#
    x11grab or pulse would be right
        1:61: tiles[0].poster: "concat+x.y://" is not supported; a file, or a URL of file, http, https, rtsp, \#
    rtsps, rtmp, rtmps, udp, rtp, srt, tcp, v4l2, \#
    x11grab or pulse would be right
    {"tiles": [{"play": "v4l2:///dev/video0"}, {"play": "x11grab://:0?size=320x200&rate=30"}], "audio": {"bed": "pulse://mic?a"}}
        1:109: audio.bed: a sound input takes no parameters; "pulse://NAME" would be right
    {"tiles": [{"play": "v4l2://video0"}, {"play": "x11grab://host?rate=30"}]}
        1:21: tiles[0].play: no camera is named; "v4l2:///dev/video0" would be right
        1:48: tiles[1].play: no display is named; "x11grab://:0.0" would be right
    {"tiles": [{"play": "v4l2:///dev/video0?size=12"}, {"play": "x11grab://:0?rate=0"}, {"play": "x11grab://:0?fps=9"}]}
        1:21: tiles[0].play: "12" is not a size; one such as 1280x720 would be right
        1:61: tiles[1].play: "0" is not a rate; a whole number from 1 to 240 would be right
        1:94: tiles[2].play: "fps" is not a parameter; size=1280x720 and rate=30, with & between them, would be right
    {"tiles": [{"play": "tls://h"}, {"play": {"segments": [{"src": "fd://3"}]}}]}
        1:21: tiles[0].play: "tls://" is not supported; a file, or a URL of file, http, https, rtsp, rtsps, \#
    rtmp, rtmps, udp, rtp, srt, tcp, v4l2, \#
    x11grab or pulse would be right
        1:64: tiles[1].play.segments[0].src: "fd://" is not supported; a file, or a URL of file, http, https, \#
    rtsp, rtsps, rtmp, rtmps, udp, rtp, srt, tcp, v4l2, \#
    x11grab or pulse would be right
    {"tiles": [{"play": {}}]}
        1:21: tiles[0].play.src: missing; a file or a URL, or "segments", would be right
    {"tiles": [{"play": {"src": 3}}]}
        1:29: tiles[0].play.src: 3 is wrong here; a file or a URL would be right
    {"tiles": [{"play": {"src": "a", "in": -1}}]}
        1:40: tiles[0].play.in: -1 is too small; a time from 0 to 100000000 s would be right
    {"tiles": [{"play": {"src": "a", "in": "1:2:3:4"}}]}
        1:40: tiles[0].play.in: "1:2:3:4" is not a time; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
    {"tiles": [{"play": {"src": "a", "in": 5, "out": 5}}]}
        1:50: tiles[0].play.out: 5 is not after "in"; a time after "in" would be right
    {"tiles": [{"play": {"src": "a", "in": "0:09", "out": "0:08.5"}}]}
        1:55: tiles[0].play.out: "0:08.5" is not after "in"; a time after "in" would be right
    {"tiles": [{"play": {"src": "a", "out": 0}}]}
        1:41: tiles[0].play.out: 0 is too small; a time above 0 would be right
    {"tiles": [{"play": {"src": "a", "out": 1e300}}]}
        1:41: tiles[0].play.out: 1e300 is too large; a time from 0 to 100000000 s would be right
    {"tiles": [{"play": {"src": "a", "in": null}}]}
        1:40: tiles[0].play.in: null is wrong here; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
    {"tiles": [{"play": {"src": "a", "rate": 0.2}}]}
        1:42: tiles[0].play.rate: 0.2 is too small; a number from 0.25 to 4 would be right
    {"tiles": [{"play": {"src": "a", "rate": 4.1}}]}
        1:42: tiles[0].play.rate: 4.1 is too large; a number from 0.25 to 4 would be right
    {"tiles": [{"play": {"src": "a", "rate": "fast"}}]}
        1:42: tiles[0].play.rate: "fast" is wrong here; a number from 0.25 to 4 would be right
    {"tiles": [{"play": {"src": "a", "repeat": 0}}]}
        1:44: tiles[0].play.repeat: 0 is too small; a whole number from 1 to 1000000 would be right
    {"tiles": [{"play": {"src": "a", "repeat": 1000001}}]}
        1:44: tiles[0].play.repeat: 1000001 is too large; a whole number from 1 to 1000000 would be right
    {"tiles": [{"play": {"src": "a", "duration": 0}}]}
        1:46: tiles[0].play.duration: 0 is too small; a time above 0 would be right
    {"tiles": [{"play": {"segments": []}}]}
        1:34: tiles[0].play.segments: an empty list is wrong here; a list of segments such as {"src": "a.mp4", \#
    "in": 1, "out": 2} would be right
    {"tiles": [{"play": {"segments": [{"in": 1}]}}]}
        1:35: tiles[0].play.segments[0].src: missing; a file or a URL would be right, here or once on the item
    {"tiles": [{"play": {"segments": [{"src": "a", "in": 2, "out": 1}]}}]}
        1:64: tiles[0].play.segments[0].out: 1 is not after "in"; a time after "in" would be right
    {"tiles": [{"play": {"src": "a", "in": 1, "out": 2, "segments": [{}]}}]}
        1:34: tiles[0].play.in: not allowed here; with "segments", "in" belongs to each segment
        1:43: tiles[0].play.out: not allowed here; with "segments", "out" belongs to each segment
    {"tiles": [{"play": {"src": "a", "duration": 3, "segments": [{}]}}]}
        1:34: tiles[0].play.duration: not allowed here; with "segments", the segments give the length
    {"tiles": [{"play": {"segments": ["a"]}}]}
        1:35: tiles[0].play.segments[0]: "a" is wrong here; an object with "src", "in", "out" or "rate" would be right
    {"tiles": [{"play": {"src": "a", "segments": [{"repeat": 2}]}}]}
        1:48: tiles[0].play.segments[0].repeat: not allowed here; it belongs to an item of "play", not to a segment
    {"tiles": [{"play": {"src": "a", "audio": 0}}]}
        1:43: tiles[0].play.audio: 0 is too small; a whole number from 1 to 999 would be right
    {"tiles": [{"play": {"src": "a", "audio": true}}]}
        1:43: tiles[0].play.audio: true is wrong here; a track number from 1, a language such as "de", false, or an \#
    object would be right
    {"tiles": [{"play": {"src": "a", "audio": ""}}]}
        1:43: tiles[0].play.audio: "" is wrong here; a track number from 1, a language such as "de", false, or an \#
    object would be right
    {"tiles": [{"play": {"src": "a", "audio": {"chanel": "left"}}}]}
        1:44: tiles[0].play.audio.chanel: no such key; did you mean "channel"?
    {"tiles": [{"play": {"src": "a", "audio": {"channel": "lef", "track": false}}}]}
        1:55: tiles[0].play.audio.channel: "lef" is not known; did you mean "left"? "both", "left" or "right" would \#
    be right
        1:71: tiles[0].play.audio.track: false is wrong here; a track number from 1 or a language such as "de" \#
    would be right
    {"tiles": [{"play": {"src": "a", "audio": {"volume": 200, "offset": "x"}}}]}
        1:54: tiles[0].play.audio.volume: 200 is too large; a whole number from 0 to 100 would be right
        1:69: tiles[0].play.audio.offset: "x" is not a time; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
    {"tiles": [{"play": {"src": "a", "key": 13}}]}
        1:41: tiles[0].play.key: 13 is too large; a whole number from -12 to 12 would be right
    {"tiles": [{"play": {"src": "a", "audio": {"stems": []}}}]}
        1:53: tiles[0].play.audio.stems: an empty list is wrong here; a list such as [{"name": "vocals", "src": \#
    "v.ogg"}] would be right
    {"tiles": [{"play": {"src": "a", "audio": {"src": "b", "track": 2, "stems": [{"src": "v"}]}}}]}
        1:44: tiles[0].play.audio.src: not allowed here; with "stems", "src" belongs to each stem
        1:56: tiles[0].play.audio.track: not allowed here; with "stems", the first sound of each file is heard
    {"tiles": [{"play": {"src": "a", "audio": {"stems": [{"name": "v"}, {"src": "b", "mute": 1, "volume": 101}]}}}]}
        1:54: tiles[0].play.audio.stems[0].src: missing; a file or a URL would be right
        1:90: tiles[0].play.audio.stems[1].mute: 1 is wrong here; true or false would be right
        1:103: tiles[0].play.audio.stems[1].volume: 101 is too large; a whole number from 0 to 100 would be right
    {"tiles": [{"play": {"src": "a", "audio": {"stems": [{"src": "b"}, {"name": "stem1", "src": "c", "mute": 1}]}}}]}
        1:106: tiles[0].play.audio.stems[1].mute: 1 is wrong here; true or false would be right
    {"tiles": [{"play": {"src": "a", "audio": {"stems": [{"name": "v", "src": "b"}, {"name": "v", "src": "c"}]}}}]}
        1:90: tiles[0].play.audio.stems[1].name: another stem has this name; a name of its own would be right
    {"tiles": [{"play": {"src": "a", "audio": {"stems": [{"name": "a/b", "src": "b"}]}}}]}
        1:63: tiles[0].play.audio.stems[0].name: "a/b" is wrong here; a name without "/" would be right
    {"tiles": [{"play": {"src": "a", "crop": [0, 0, 1, 1.1]}}]}
        1:42: tiles[0].play.crop: fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right
    {"tiles": [{"play": {"src": "a", "crop": [0, 0, 65537, 1]}}]}
        1:49: tiles[0].play.crop[2]: 65537 is too large; a number from 0 to 65536 would be right
    {"tiles": [{"play": {"src": "a", "crop": [2, 0, 1, 1]}}]}
        1:42: tiles[0].play.crop: fractions and pixels are mixed; four whole numbers, or four from 0 to 1, would be right
    {"tiles": [{"play": {"src": "a", "crop": "640x360"}}]}
        1:42: tiles[0].play.crop: "640x360" is wrong here; [x, y, w, h] in fractions of the frame or in whole pixels, \#
    or "WxH+X+Y" in pixels, would be right
    {"tiles": [{"play": {"src": "a", "crop": [0.5, 0, 0.6, 1]}}]}
        1:42: tiles[0].play.crop: the crop reaches beyond the frame; x + w and y + h of at most 1 would be right
    {"tiles": [{"play": {"src": "a", "crop": [0, 0, 0, 1]}}]}
        1:49: tiles[0].play.crop[2]: 0 is too small; a number above 0 would be right
    {"tiles": [{"play": {"src": "a", "crop": [0, 0, 1]}}]}
        1:42: tiles[0].play.crop: a list of 3 is wrong here; [x, y, w, h] in fractions of the frame or in \#
    whole pixels, or "WxH+X+Y" in pixels, would be right
    {"tiles": [{"play": {"src": "a", "turn": 45}}]}
        1:42: tiles[0].play.turn: 45 is wrong here; 0, 90, 180 or 270 would be right
    {"tiles": [{"play": {"src": "a", "turn": "90"}}]}
        1:42: tiles[0].play.turn: "90" is wrong here; 0, 90, 180 or 270 would be right
    {"tiles": [{"play": {"src": "a", "flip": "x"}}]}
        1:42: tiles[0].play.flip: "x" is wrong here; "none", "h" or "v" would be right
    {"tiles": [{"play": {"src": "a", "deinterlace": "yes"}}]}
        1:49: tiles[0].play.deinterlace: "yes" is wrong here; true or false would be right
    {"tone-mapping": {"curve": "hable"}, "tiles": [{"play": "a"}]}
        1:28: tone-mapping.curve: "hable" is wrong here; "bt2390", "clip" or "off" would be right
    {"tiles": [{"play": "a", "tone-mapping": {"target-nits": 5}}]}
        1:58: tiles[0].tone-mapping.target-nits: 5 is too small; a whole number from 10 to 10000 would be right
    {"tiles": [{"play": {"src": "a", "max-bitrate": 0}}]}
        1:49: tiles[0].play.max-bitrate: 0 is too small; a whole number from 1 to 1000000000000 would be right
    {"tiles": [{"play": {"src": "a", "ahead": -1}}]}
        1:43: tiles[0].play.ahead: -1 is too small; a time from 0 to 3600 s would be right
    {"tiles": [{"play": {"src": "a", "loop": true}}]}
        1:34: tiles[0].play.loop: not allowed here; it belongs to a group or a tile, not to an item of "play"
    {"tiles": [{"play": {"src": "a", "label": 3}}]}
        1:43: tiles[0].play.label: 3 is wrong here; a text would be right
    {"tiles": [{"play": {"src": "a", "lyrics": 3}}]}
        1:44: tiles[0].play.lyrics: 3 is wrong here; "auto", a file, {"track": 1}, false, or an object with "src" would be right
    {"tiles": [{"play": {"src": "a", "lyrics": {"lines": 7, "position": "left", "size": 1, "sung": "red"}}}]}
        1:54: tiles[0].play.lyrics.lines: 7 is too large; a whole number from 1 to 6 would be right
        1:69: tiles[0].play.lyrics.position: "left" is wrong here; "top", "middle" or "bottom" would be right
        1:85: tiles[0].play.lyrics.size: 1 is too small; a whole number from 2 to 25 would be right
        1:96: tiles[0].play.lyrics.sung: "red" is wrong here; a colour such as "#1a2b3c" would be right
    {"tiles": [{"play": {"src": "a", "lyrics": {"src": "a.lrc", "track": 1}, "voice": 10}}]}
        1:61: tiles[0].play.lyrics.track: not allowed here; "src" or "track" would be right, not both
        1:83: tiles[0].play.voice: 10 is too large; a whole number from 1 to 9 would be right
    {⏎  "pipelines": 99,⏎  "quality": "best",⏎  "tiles": [⏎    { "play": "a", "fit": "zoom" },⏎    { "id": "b", \#
    "play": [{ "src": "b", "rate": 9 }] },⏎    { "id": "b" }⏎  ],⏎  "audio": { "focus": "c" }⏎}
        2:16: pipelines: 99 is too large; a whole number from 1 to 64 or "auto" would be right
        3:14: quality: "best" is wrong here; "exact" or "auto" would be right
        5:27: tiles[0].fit: "zoom" is wrong here; "contain", "cover" or "stretch" would be right
        6:49: tiles[1].play[0].rate: 9 is too large; a number from 0.25 to 4 would be right
        7:5: tiles[2].play: missing; a file, a URL, an item or a list of them would be right
        7:13: tiles[2].id: "b" is another tile's name; one of its own would be right
        9:23: audio.focus: no tile is called "c"; "tile1", "b" or "b" would be right
    {"tiles": [{"label": "é€😀", "volum": 1, "play": "😀", "mute": 1}]}
        1:29: tiles[0].volum: no such key; did you mean "volume"?
        1:62: tiles[0].mute: 1 is wrong here; true or false would be right
    {"tiles": [{"play": "a", "play": 3, "brakes": 1, "breaks": 2, "x-note": null}], "$schema": 5, "x-y": [[]]}
        1:26: tiles[0].play: given twice; once would be right
        1:37: tiles[0].brakes: no such key; a tile may have "id", "cell", "span", "rect", "group", "offset", \#
    "play", "loop", "fit", "flip", "tone-mapping", "poster", "mute", "volume", "balance", \#
    "label", "announce", "subtitles", "pip", "on-error", "transition", "stale-after", "frozen-after", "compare", \#
    "mode", "gain", "at", "angle" or "swapped"
        1:50: tiles[0].breaks: not allowed here; it belongs to the layout itself, not to a tile
    {"tiles": [{"play": "a", "span": [2, 3], "volume": 1e400}]}
        1:34: tiles[0].span: [2, 3] reaches beyond a grid of 1 column and 1 row; at most [1, 1], or a larger grid, \#
    would be right
        1:52: tiles[0].volume: 1e400 is too large; a whole number from 0 to 100 would be right
    {"stale-after": true, "frozen-after": 0, "tiles": [{"play": "a", "stale-after": "soon", "frozen-after": 1e6}]}
        1:17: stale-after: true is wrong here; seconds, or false, would be right
        1:39: frozen-after: 0 is too small; a time from 0.1 to 86400 s would be right
        1:81: tiles[0].stale-after: "soon" is not a time; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
        1:105: tiles[0].frozen-after: 1e6 is too large; a time from 0.1 to 86400 s would be right
    {"title": "", "tiles": [{"play": "a"}]}
        1:11: title: "" is wrong here; a text that is not empty would be right
    {"grid": {"rows": 2, "columns": 2, "gap": 720}, "tiles": [{"play": "a"}]}
        1:10: grid: gap and margin take all 720 pixels of the window's height; smaller ones would be right
    {"grid": {"columns": 2, "rows": 2}, "tiles": [{"play": "a", "span": [2, 2]}, {"play": "b"}]}
        1:78: tiles[1]: no free place is left for it in a grid of 2 columns and 2 rows; a larger grid would be right
    {"grid": {"columns": 0}, "tiles": [{"play": "a", "cell": [9, 9]}]}
        1:22: grid.columns: 0 is too small; a whole number from 1 to 64 would be right
    {"tiles": [{"play": "a", "id": "tile2"}, {"play": "b"}], "audio": {"focus": "tile4"}}
        1:77: audio.focus: no tile is called "tile4"; did you mean "tile2"?
    {"tiles": [{"play": "a", "offset": "-0:99"}]}
        1:36: tiles[0].offset: "-0:99" is not a time; seconds as 83.5, or "1:23.5" or "1:02:03" would be right
    {"tiles": [{"play": "a", "offset": 1e9}]}
        1:36: tiles[0].offset: 1e9 is too large; a time from -100000000 to 100000000 s would be right
    {"tiles": [{"play": {"src": "a", "in": 5, "in": 7, "out": 6}}]}
        1:43: tiles[0].play.in: given twice; once would be right
    {"tiles": [{"play": [{"sorce": "a"}, 4, {"src": "b", "segments": []}]}]}
        1:22: tiles[0].play[0].src: missing; a file or a URL, or "segments", would be right
        1:23: tiles[0].play[0].sorce: no such key; did you mean "src"?
        1:38: tiles[0].play[1]: 4 is wrong here; a file, a URL or an item would be right
        1:66: tiles[0].play[2].segments: an empty list is wrong here; a list of segments such as {"src": "a.mp4", \#
    "in": 1, "out": 2} would be right
    [{"play": "a"}]
        1:1: layout: a list is wrong here; an object that holds it would be right: {"tiles": […]}
    // A wall.⏎{"tiles": [{"play": "a"}]}
        1:1: JSON: JSON has no comments; put the text into a key that begins with "x-"
    {"tiles": [{"play": "a"} /* left */]}
        1:26: JSON: JSON has no comments; put the text into a key that begins with "x-"
    {"tiles": [{"play": "~/films/a.mp4"}, {"play": "~a.mp4"}, {"play": "./~/a.mp4"}]}
        1:21: tiles[0].play: "~/films/a.mp4": "~" is not expanded; the whole path from "/" on \#
    would be right
    {"column": 2, "width": 9, "tiles": [{"play": {"file": "a", "src": "a", "start": 2, "speed": 2}}]}
        1:2: column: no such key; "columns" and "rows" in "grid" would be right
        1:15: width: no such key; "window": {"size": [width, height]} would be right
        1:47: tiles[0].play.file: no such key; "src" would be right
        1:72: tiles[0].play.start: no such key; "in" or "out" would be right
        1:84: tiles[0].play.speed: no such key; "rate" would be right
    {"tiles": [{"play": "a", "column": 1, "x": 0, "name": "b"}]}
        1:26: tiles[0].column: no such key; "cell": [column, row], or "columns" in the layout's "grid", would be right
        1:39: tiles[0].x: no such key; "rect": [x, y, w, h] would be right
        1:47: tiles[0].name: no such key; "id", or "label" for a text on the tile, would be right
    """#
