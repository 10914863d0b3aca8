import Base

extension StatedToneMapping: FieldOwner {
    static let initial = StatedToneMapping()

    static let fields = FieldTable<StatedToneMapping>([
        LayoutField(
            "curve", .word(ToneMapping.Curve.allCases), \.curve,
            """
            bt2390: the curve of BT.2390 compresses what is brighter than the display, from the peak that the source \
            states, else from 1000 nits. clip: what is brighter is shown as the display's white. off: code values are \
            shown as if they were SDR in BT.709. Default: the value of the tile, else of the layout, else bt2390.
            """),
        LayoutField(
            "target-nits", .whole(ToneMapping.nits), \.targetNits,
            """
            Luminance in nits that is shown as the display's white. With a lower value, HDR looks brighter. Default: the \
            value of the tile, else of the layout, else 203.
            """),
    ])
}
