extension Layout {
    /// All files that it reads, as they are written: what plays, posters, sounds.
    public var files: Set<String> {
        var names = tiles.flatMap { tile in
            tile.play.flatMap { $0.pieces.map(\.source) + $0.audio.sources } + [tile.poster].compactMap { $0 }
        }
        names += breaks.flatMap { $0.play.flatMap { $0.pieces.map(\.source) } }
        if let bed = audio.bed { names.append(bed.source) }
        return Set(names.compactMap(SourceName.path))
    }
}
