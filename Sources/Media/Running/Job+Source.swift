import WallCore

extension Job {
    var source: Source { handle as! Source }
}
