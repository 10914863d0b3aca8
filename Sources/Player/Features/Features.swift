/// The features of a wall: clients of the player. Each reads a snapshot and answers with edits (`Edit`).
struct Features {
    var notices = Notices()
    var shortage = ShortageNotice()
    var comparison = Comparison()
    var blind = Blind()
    var eye = Eye()
    var figures = Figures()
    var takes = Takes()
    var lyrics = LyricsFiles()
    let abLoops = ABLoops()
    let magnification = Magnification()
    let stems = Stems()
}
