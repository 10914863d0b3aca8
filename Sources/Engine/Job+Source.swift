import Media
import Player

extension Job {
    var source: Source { handle as! Source }
}
