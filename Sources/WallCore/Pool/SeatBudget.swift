/// For `pipelines` auto: how many feeds the cores can decode at once, by what was measured so far.
struct SeatBudget {
    /// nil: as many as there are pipelines.
    private var cores: Double?
    private var affordable: Int?

    init(cores: Double?) { self.cores = cores }

    /// What was learned for as many cores stays.
    mutating func set(cores: Double?) { if cores != self.cores { self = SeatBudget(cores: cores) } }

    func seats(ofPipelines count: Int) -> Int { min(count, affordable ?? .max) }

    /// `costs`: of the feeds that were measured, in parts of a core. Fewer seats at once, more only when it is clearly
    /// more: seats that come and go are worse than one too few.
    mutating func learn(_ costs: [Double]) {
        guard let cores, !costs.isEmpty else { return }
        let mean = costs.reduce(0, +) / Double(costs.count)
        let count = max(1, Int(cores / max(mean, 0.001)))
        let before = affordable ?? .max
        if count < before || count > before + before / 4 { affordable = count }
    }
}
