/// A text, then its mistakes, indented and without the file's name. ⏎ ␍ and ⇥ stand for line feed, carriage return and
/// tab, ∅ for an empty text.
let syntaxTable = #"""
    ∅
        1:1: JSON: the file is empty; an object with "tiles" would be right
     ⏎ 
        2:2: JSON: the file is empty; an object with "tiles" would be right
    {
        1:2: JSON: the file ends here; a key in double quotes would be right
    {⏎
        2:1: JSON: the file ends here; a key in double quotes would be right
    []]
        1:3: JSON: unexpected "]"; nothing but the end of the file would be right
    {"tiles": [{"play": "a",}]}
        1:25: JSON: unexpected "}"; another key, or no comma before it, would be right
    {"tiles": ["a",]}
        1:16: JSON: unexpected "]"; another value, or no comma before it, would be right
    {"tiles": [] } x
        1:16: JSON: unexpected "x"; nothing but the end of the file would be right
    {⏎  // a note⏎}
        2:3: JSON: JSON has no comments; put the text into a key that begins with "x-"
    {/* */}
        1:2: JSON: JSON has no comments; put the text into a key that begins with "x-"
    {'tiles': []}
        1:2: JSON: unexpected "'"; a key in double quotes would be right
    {tiles: []}
        1:2: JSON: unexpected "t"; a key in double quotes would be right
    {"tiles" []}
        1:10: JSON: unexpected "["; ":" would be right
    {"tiles": [1 2]}
        1:14: JSON: unexpected "2"; "," or "]" would be right
    {"title": "a" "tiles": []}
        1:15: JSON: unexpected "\""; "," or "}" would be right
    {"a": tru}
        1:10: JSON: unexpected "}"; "true" would be right
    {"a": nulll}
        1:11: JSON: unexpected "l"; "," or "}" would be right
    {"a": True}
        1:7: JSON: unexpected "T"; a value would be right
    {"a": NaN}
        1:7: JSON: unexpected "N"; a value would be right
    {"a": 01}
        1:8: JSON: unexpected "1"; "," or "}" would be right
    {"a": .5}
        1:7: JSON: unexpected "."; a value would be right
    {"a": 1.}
        1:9: JSON: unexpected "}"; a digit would be right
    {"a": +1}
        1:7: JSON: unexpected "+"; a value would be right
    {"a": -}
        1:8: JSON: unexpected "}"; a digit would be right
    {"a": 1e}
        1:9: JSON: unexpected "}"; a digit would be right
    {"a": 0x10}
        1:8: JSON: unexpected "x"; "," or "}" would be right
    {"a": "b
        1:9: JSON: the file ends here; a double quote at the end of the text would be right
    {"a": "b⏎"}
        1:9: JSON: unexpected "\n"; a double quote at the end of the text would be right
    {"a": "b⇥c"}
        1:9: JSON: unexpected "\t"; an escape such as \t or \u0001 would be right
    {"a": "\q"}
        1:9: JSON: unexpected "q"; one of " \ / b f n r t u after a backslash would be right
    {"a": "\u12g4"}
        1:12: JSON: unexpected "g"; four hexadecimal digits after \u would be right
    {"a": "\ud83d"}
        1:8: JSON: half of a surrogate pair; both halves, as in \ud83d\ude00, would be right
    {"a": "\ud83dx"}
        1:8: JSON: half of a surrogate pair; both halves, as in \ud83d\ude00, would be right
    {"a": "\ude00"}
        1:8: JSON: half of a surrogate pair; both halves, as in \ud83d\ude00, would be right
    {"a": "\ud83d\u0041"}
        1:8: JSON: half of a surrogate pair; both halves, as in \ud83d\ude00, would be right
    \#u{FEFF}{}
        1:1: JSON: the file begins with a byte order mark; save it as UTF-8 without one
    {"é€😀": ]
        1:9: JSON: unexpected "]"; a value would be right
    {"a": 1,␍⏎ "b": }
        2:7: JSON: unexpected "}"; a value would be right
    é
        1:1: JSON: unexpected "é"; a value would be right
    {,}
        1:2: JSON: unexpected ","; a key in double quotes would be right
    {"a":1,,"b":2}
        1:8: JSON: unexpected ","; a key in double quotes would be right
    \#u{A0}{}
        1:1: JSON: unexpected "\#u{A0}"; a value would be right
    """#
