import Expectations
import Testing

@testable import Media

/// Reads the scores from the log of the filter libvmaf.
@Suite struct VMAFTests {
    @Test func scoresAreTheColumnOfTheirName() {
        let log = "Frame,integer_adm2,vmaf,integer_motion,\n0,0.9,71.68,0.0,\n1,0.8,68.5,1.5,\n"
        expect(VMAF.scores(ofLog: log), equals: [71.68, 68.5])
        expect(VMAF.scores(ofLog: "").isEmpty && VMAF.scores(ofLog: "Frame,psnr\n0,40\n").isEmpty)
    }
}
