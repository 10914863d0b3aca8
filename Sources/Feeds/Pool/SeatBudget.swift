/// For `pipelines: auto`: the number of feeds that the cores can decode at once, by measured costs.
struct SeatBudget {
    /// nil if there are as many seats as pipelines.
    private var cores: Double?
    private var affordable: Int?

    init(cores: Double?) { self.cores = cores }

    /// Resets what was learned if the number of cores changes.
    mutating func set(cores: Double?) { if cores != self.cores { self = SeatBudget(cores: cores) } }

    func seats(ofPipelines count: Int) -> Int { min(count, affordable ?? .max) }

    /// `costs`: cost of each measured feed, in cores (0.5 is half a core). The number of seats shrinks at once, and
    /// grows only by more than a quarter. This hysteresis keeps seats from coming and going.
    mutating func learn(_ costs: [Double]) {
        guard let cores, !costs.isEmpty else { return }
        let mean = costs.reduce(0, +) / Double(costs.count)
        let count = max(1, Int(cores / max(mean, 0.001)))
        let before = affordable ?? .max
        if count < before || count > before + before / 4 { affordable = count }
    }
}
