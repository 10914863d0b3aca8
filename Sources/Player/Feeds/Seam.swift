/// Frames and sound before the front that are still shown, heard or kept for a step back.
struct Seam {
    /// Frame shown under the front while a seam fades; nil while no seam fades.
    var fadeOut: FadeOut?
    var history = History()
    /// Memory and tile sizes from which the timeline's fade limits were computed; nil until then.
    var fadeBasis: FadeBasis?

    /// Drops the frames. What is heard stays.
    mutating func clear() {
        fadeOut = nil
        history.keep(nil)
    }
}
