/// Walks that crashed a simulated wall once, one action a line.
enum FoundWalks {
    static let all: [String] = [
        // The group of a comparing tile changes, then the tile is removed.
        """
        layout {"tiles":[{"id":"a","play":"film.mp4"},{"id":"b","play":"long.mkv"},{"id":"c","compare":["a","b"]}]}
        pass 500
        layout {"tiles":[{"id":"a","play":"film.mp4"},{"id":"b","play":"long.mkv"},{"id":"c","compare":["a","b"],"group":"second"}]}
        pass 300
        layout {"tiles":[{"id":"a","play":"film.mp4"},{"id":"b","play":"long.mkv"}]}
        pass 900
        """,
        // A break of a tile that has ended, while the wall is hidden: its item was given up at each update.
        """
        layout {"window":{"display":0,"background":"#102030"},"quality":"auto","memory":65536,"max-pixels":[65536,21],"frozen-after":false,"audio":{"input":"x"},"keys":{},"grid":{"columns":4,"rows":4},"breaks":[{"every":1.000000,"at":["12:00","12:00","12:00"],"play":"gone.mp4","together":true,"name":"ad"},{"after-items":8,"play":"slow.mp4","together":true,"when":"item-end","name":"news"}],"groups":{"main":{},"second":{"loop":"each","until":"shortest"},"third":{"rate":0.566836}},"tiles":[{"id":"a","cell":[1,0],"offset":-1.000000,"label":"two words","play":{"src":"udp://127.0.0.1:5004","deinterlace":false,"ahead":1.000000,"voice":5}},{"id":"d","group":"second","compare":["dot.mp4","film.mp4","gone.mp4"],"gain":64.000000,"angle":-359.453550},{"id":"b","cell":[2,2],"play":"slow.mp4"}]}
        pass 371
        pass 15
        layout {"title":"x","window":{"position":[65536,65536],"fullscreen":"while-playing","borderless":true},"pipelines":4,"overflow":"first","quality":"auto","frozen-after":"é😀","groups":{},"audio":{},"tiles":[{"id":"a","rect":[0.990000,0.990000,0.000010,0.000010],"compare":[{"src":"udp://127.0.0.1:5005","in":0.100000,"crop":[0.000000,0.000000,0.500000,0.500000],"flip":"h"},"long.mkv"],"mode":"difference","at":0.662493,"angle":-358.325712,"loop":3,"volume":5,"pip":"auto"},{"id":"b","rect":[0.500000,0.250000,0.500000,0.500000],"compare":["dot.mp4","gone.mp4","empty.mp4"]},{"id":"e","group":"third","play":[{"src":"unknown.ts","out":0.600000,"key":-12,"turn":270,"deinterlace":false,"ahead":7.000000}],"volume":1,"pip":"auto"}],"grid":{"columns":4,"rows":4}}
        pass 305
        key Shift+TAB
        pass 10
        pass 396
        command ["tile","d","focus","c"]
        command ["ab-loop"]
        layout {"window":{"display":0,"background":"#102030"},"quality":"auto","memory":65536,"max-pixels":[65536,21],"frozen-after":false,"audio":{"input":"x"},"keys":{},"grid":{"columns":4,"rows":4},"breaks":[{"every":1.000000,"at":["12:00","12:00","12:00"],"play":"gone.mp4","together":true,"name":"ad"},{"after-items":8,"play":"slow.mp4","together":true,"when":"item-end","name":"news"}],"groups":{"main":{},"second":{"loop":"each","until":"shortest"},"third":{"rate":0.566836}},"tiles":[{"id":"a","cell":[1,0],"offset":-1.000000,"label":"two words","play":{"src":"udp://127.0.0.1:5004","deinterlace":false,"ahead":1.000000,"voice":5},"group":"third"},{"id":"d","group":"second","compare":["dot.mp4","film.mp4","gone.mp4"],"gain":64.000000,"angle":-359.453550},{"id":"b","cell":[2,2],"play":"slow.mp4","loop":4}]}
        shell noFrames 8
        key Alt+0
        command ["seek",1000000000.000000]
        pass 267
        """,
        // A scrub of a hidden tile that has ended.
        """
        layout {"tiles":[{"play":[{"src":"dot.mp4","transition":{"fade":2.000000}}],"loop":8}]}
        command ["nudge-seconds",100000000.000000]
        pass 334
        pointer began 447 91
        shell noFrames 5
        pointer moved 108 119
        pass 23
        """,
        // A step to the previous item far beyond the end of a comparison.
        """
        layout {"tiles":[{"group":"second","compare":[{"src":"still.png","duration":0.040000},{"src":"dot.mp4"}]}]}
        command ["set_property","groups/second/time-pos",1000000]
        command ["frame-back-step-any"]
        pass 84
        command ["playlist-prev",1]
        pass 14
        """,
        // Picture in picture hides a camera that sends from second 100 on: it got a seat and lost it without an end.
        """
        layout {"tiles":[{"id":"b","play":"one.mp4"},{"play":{"src":"udp://127.0.0.1:5004"}}]}
        shell showOnly 7
        pass 222
        """,
    ]
}
