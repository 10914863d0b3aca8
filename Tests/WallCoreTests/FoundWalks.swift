/// Walks that ended a simulated wall once, one action a line.
enum FoundWalks {
    static let all: [String] = [
        // A comparing tile whose group changes, and which then goes.
        """
        layout {"tiles":[{"id":"a","play":"film.mp4"},{"id":"b","play":"long.mkv"},{"id":"c","compare":["a","b"]}]}
        pass 500
        layout {"tiles":[{"id":"a","play":"film.mp4"},{"id":"b","play":"long.mkv"},{"id":"c","compare":["a","b"],"group":"second"}]}
        pass 300
        layout {"tiles":[{"id":"a","play":"film.mp4"},{"id":"b","play":"long.mkv"}]}
        pass 900
        """
    ]
}
