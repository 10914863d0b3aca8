/// Chromaticities of primaries and white, as x and y of CIE 1931.
public struct Chromaticities: Hashable, Sendable {
    public let red: Point
    public let green: Point
    public let blue: Point
    public let white: Point

    public struct Point: Hashable, Sendable {
        public let x: Double
        public let y: Double

        public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

        /// The point as X, Y and Z, with Y = 1.
        var tristimulus: [Double] { [x / y, 1, (1 - x - y) / y] }
    }

    public static let d65 = Point(0.3127, 0.3290)
    private static let c = Point(0.310, 0.316)

    public static let bt709 = Chromaticities(Point(0.640, 0.330), Point(0.300, 0.600), Point(0.150, 0.060))
    public static let bt2020 = Chromaticities(Point(0.708, 0.292), Point(0.170, 0.797), Point(0.131, 0.046))
    public static let displayP3 = Chromaticities(Point(0.680, 0.320), Point(0.265, 0.690), Point(0.150, 0.060))

    public init(_ red: Point, _ green: Point, _ blue: Point, white: Point = d65) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

    /// Others, by FFmpeg's names.
    fileprivate static let named = [
        "bt470m": Chromaticities(Point(0.670, 0.330), Point(0.210, 0.710), Point(0.140, 0.080), white: c),
        "film": Chromaticities(Point(0.681, 0.319), Point(0.243, 0.692), Point(0.145, 0.049), white: c),
        "smpte431": Chromaticities(
            Point(0.680, 0.320), Point(0.265, 0.690), Point(0.150, 0.060), white: Point(0.314, 0.351)),
    ]

    /// Matrix from linear red, green and blue to X, Y and Z. The row of Y holds the weights of luminance.
    public var toXYZ: Matrix3 {
        let columns = Matrix3(rows: [red.tristimulus, green.tristimulus, blue.tristimulus]).transposed
        return columns.scalingColumns(by: columns.inverse * white.tristimulus)
    }

    /// Matrix from linear light in these primaries to that in others. White stays white, by Bradford's adaptation.
    public func matrix(to other: Chromaticities) -> Matrix3 {
        if self == other { return .identity }
        return other.toXYZ.inverse * adaptation(to: other.white) * toXYZ
    }

    private func adaptation(to other: Point) -> Matrix3 {
        if white == other { return .identity }
        let cones = Matrix3(rows: [
            [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
        ])
        let (before, after) = (cones * white.tristimulus, cones * other.tristimulus)
        return cones.inverse.scalingColumns(by: zip(after, before).map { $0 / $1 }) * cones
    }
}

/// A matrix of three rows and three columns.
public struct Matrix3: Hashable, Sendable {
    public let rows: [[Double]]

    public static let identity = Matrix3(rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

    public init(rows: [[Double]]) {
        precondition(rows.count == 3 && rows.allSatisfy { $0.count == 3 }, "three rows of three numbers")
        self.rows = rows
    }

    public static func * (matrix: Matrix3, vector: [Double]) -> [Double] {
        matrix.rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
    }

    public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(rows: right.transposed.rows.map { left * $0 }).transposed
    }

    public var transposed: Matrix3 { Matrix3(rows: (0..<3).map { column in rows.map { $0[column] } }) }

    public func scalingColumns(by factors: [Double]) -> Matrix3 {
        Matrix3(rows: rows.map { row in zip(row, factors).map { $0 * $1 } })
    }

    public var inverse: Matrix3 {
        let (a, b, c) = (rows[0], rows[1], rows[2])
        func cross(_ p: [Double], _ q: [Double]) -> [Double] {
            [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
        }
        let columns = [cross(b, c), cross(c, a), cross(a, b)]
        let determinant = a[0] * columns[0][0] + a[1] * columns[0][1] + a[2] * columns[0][2]
        return Matrix3(rows: columns.map { $0.map { $0 / determinant } }).transposed
    }
}

extension SourceColorimetry.Primaries {
    /// nil if they are unknown.
    public var chromaticities: Chromaticities? {
        switch self {
        case .bt709, .bt601With525Lines, .bt601With625Lines: .bt709
        case .bt2020: .bt2020
        case .displayP3: .displayP3
        case .other(let name): Chromaticities.named[name]
        }
    }
}
