import Base
import Scene

/// Passes notices of the sound to the program, each when its value changes. Used by the sound director's thread.
struct SoundNotices {
    private let notice: (SoundDirector.Notice) -> Void
    /// nil until there was a title.
    private var title: String?
    private var monitored: SoundScene.Monitored?
    private var isPrompt = false
    private var conditions: [SoundID: SoundCondition] = [:]

    init(_ notice: @escaping (SoundDirector.Notice) -> Void) { self.notice = notice }

    func pass(_ notice: SoundDirector.Notice) { self.notice(notice) }

    mutating func note(title: String) {
        guard title != self.title else { return }
        self.title = title
        notice(.title(title))
    }

    mutating func note(monitored: SoundScene.Monitored?) {
        guard monitored != self.monitored else { return }
        self.monitored = monitored
        notice(.monitored(monitored))
    }

    mutating func note(isPrompt: Bool) {
        guard isPrompt != self.isPrompt else { return }
        self.isPrompt = isPrompt
        notice(.prompt(isPrompt))
    }

    mutating func note(_ conditions: [SoundID: SoundCondition]) {
        guard conditions != self.conditions else { return }
        self.conditions = conditions
        notice(.conditions(conditions))
    }
}
