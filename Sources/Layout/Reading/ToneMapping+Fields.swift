import Base

extension ToneMapping: FieldOwner {
    static let initial = ToneMapping()

    static let fields = FieldTable<ToneMapping>([
        LayoutField(
            "curve", .word(Curve.allCases), \.curve,
            """
            bt2390: the curve of BT.2390 compresses what is brighter than the display, from the peak that the source \
            states, else from 1000 nits. clip: what is brighter is shown as the display's white. off: code values are \
            shown as if they were SDR in BT.709.
            """),
        LayoutField(
            "target-nits", .whole(nits), \.targetNits,
            "Luminance of the display's white, in nits. A lower value shows HDR brighter."),
    ])
}
