import func Glibc.log10

/// Difference of a frame from another, or the mean of many frames: the figures of FFmpeg's filters psnr and ssim.
public struct FrameFigures: Hashable, Sendable {
    /// Mean squared errors of Y, U and V, each over the square of the largest sample value.
    private var errors: SIMD4<Double>
    private let hasColour: Bool
    /// Index in `errors` of the mean over all planes, weighted by their numbers of samples.
    private static let average = 3
    public private(set) var ssim: Double
    public var vmaf: Double?

    /// `planes`: Y, or Y, U and V, or these and alpha. Alpha counts in the average of PSNR and not in SSIM. `bits`:
    /// bits a sample.
    public init(_ planes: [PlaneSums], bits: Int) {
        let largest = Double(1 << bits - 1), samples = planes.reduce(0) { $0 + $1.samples }
        (errors, ssim, hasColour) = (.zero, 0, planes.count > 1)
        var weights = 0
        for (index, plane) in planes.enumerated() where plane.samples > 0 {
            let error = Double(plane.squares) / Double(plane.samples) / (largest * largest)
            errors[Self.average] += error * Double(plane.samples) / Double(samples)
            guard index < Self.average else { continue }
            errors[index] = error
            guard plane.windows > 0 else { continue }
            ssim += plane.similarity / Double(plane.windows) * Double(plane.samples)
            weights += plane.samples
        }
        ssim = weights > 0 ? ssim / Double(weights) : errors == .zero ? 1 : 0
    }

    /// Takes PSNR from the mean of the errors, and the means of the other figures. Returns nil if there are no frames.
    public init?(meanOf frames: some Collection<FrameFigures>) {
        guard let first = frames.first else { return nil }
        let count = Double(frames.count)
        self = first
        errors = frames.reduce(.zero) { $0 + $1.errors } / count
        ssim = frames.reduce(0) { $0 + $1.ssim } / count
        let scores = frames.compactMap(\.vmaf)
        vmaf = scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
    }

    /// A figure by its name in files.
    public enum Name: String, CaseIterable, Sendable {
        case psnrY = "psnr-y"
        case psnrU = "psnr-u"
        case psnrV = "psnr-v"
        case psnrAverage = "psnr-average"
        case ssim, vmaf
    }

    /// PSNR is in dB, and infinite if all samples are equal. nil if the figure was not measured or the plane does not
    /// exist.
    public subscript(name: Name) -> Double? {
        switch name {
        case .psnrY: psnr(0)
        case .psnrU: hasColour ? psnr(1) : nil
        case .psnrV: hasColour ? psnr(2) : nil
        case .psnrAverage: psnr(Self.average)
        case .ssim: ssim
        case .vmaf: vmaf
        }
    }

    private func psnr(_ index: Int) -> Double { errors[index] == 0 ? .infinity : -decibels(errors[index]) }
}

/// Sums over one plane of two frames.
public struct PlaneSums: Hashable, Sendable {
    /// Number of samples of the plane.
    public var samples = 0
    /// Sum of the squared differences of all samples.
    public var squares: UInt64 = 0
    /// Sum of the SSIM of all windows.
    public var similarity = 0.0
    /// Number of windows of 8x8 samples, 4 apart. A smaller plane has none.
    public var windows = 0

    public init() {}
}

/// Returns ten times the decimal logarithm of a number above 0; infinity for infinity and NaN.
public func decibels(_ value: Double) -> Double { value.isFinite ? 10 * log10(value) : .infinity }
