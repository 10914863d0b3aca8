import Base

extension Marks {
    /// Areas that differ from `old`, for a tile that has not moved.
    func changes(since old: Marks, at places: MarksPlaces) -> [Rect] {
        var rects: [Rect] = []
        switch (progress, old.progress) {
        case (nil, nil): break
        case (let new?, let old?):
            let fill = new.fraction.map(places.fill), oldFill = old.fraction.map(places.fill)
            if (new.time, new.item) != (old.time, old.item) || (fill == nil) != (oldFill == nil) || new.ends != old.ends
            {
                rects.append(places.strip)
            } else if fill != oldFill {
                rects.append(places.barArea)
            }
        default: rects.append(places.strip)
        }
        if states != old.states || pace != old.pace {
            rects.append(places.corner(of: self).union(places.corner(of: old)))
            if nextUp ?? old.nextUp != nil { rects += [old, self].map(places.nextUp) }
            if level ?? old.level != nil { rects += [old, self].map(places.meter) }
        }
        let isMoved = (time == nil) != (old.time == nil) || figures.count != old.figures.count
        if reasons != old.reasons || info != old.info || isMoved {
            rects.append(places.notes(of: self).union(places.notes(of: old)))
        } else if time != old.time {
            rects.append(places.time(of: self))
        }
        if announcement != old.announcement {
            // The place of a card depends on words, which the marks do not know.
            rects += [old.announcement, announcement].compactMap { $0 }.flatMap { card in
                [nil, .top, .bottom].map { places.announcement(card, $0) }
            }
        }
        if nextUp != old.nextUp { rects += [places.nextUp(of: old), places.nextUp(of: self)] }
        if level != old.level { rects += [places.meter(of: old), places.meter(of: self)] }
        if (level == nil) != (old.level == nil) { rects += [places.nextUp(of: old), places.nextUp(of: self)] }
        if wipe != old.wipe { rects += [old.wipe, wipe].compactMap { $0.map { $0.extent(in: $0.target) } } }
        if figures != old.figures || figuresText != old.figuresText {
            rects += [places.figures(of: self), places.figures(of: old)]
        }
        if plot != old.plot { rects.append(places.plot) }
        if spinner != old.spinner { rects += [old.spinner, spinner].compactMap { $0.map(places.spinner) } }
        if focusBorder != old.focusBorder { rects += places.edges }
        return rects.filter { !$0.isEmpty }
    }
}

extension View {
    /// Areas that differ in label and marks.
    func markChanges(since old: View) -> [Rect] {
        if marks == nil, old.marks == nil, label == nil, old.label == nil { return [] }
        let rect = marksRect
        let (now, before) = (marks ?? Marks(), old.marks ?? Marks())
        let isLabelled = label != nil || !now.sides.isEmpty
        let isAlike =
            label == old.label && rect == old.marksRect && now.sides == before.sides
            && (!isLabelled
                || (now.progress == nil) == (before.progress == nil) && (now.plot == nil) == (before.plot == nil))
        if !isAlike || now.isDimmed != before.isDimmed { return [old.extent, extent] }
        return marks == old.marks ? [] : now.changes(since: before, at: MarksPlaces(in: rect))
    }
}

extension Scene {
    /// Areas of overlays that differ.
    func overlayChanges(since old: Scene) -> [Rect] {
        if overlay == old.overlay { return [] }
        let places = OverlayPlaces(in: size), (now, before) = (overlay ?? Overlay(), old.overlay ?? Overlay())
        if now.idle != before.idle { return [Rect(size)] }
        let panels = [before, now].map(places.helpPanel), lines = [before, now].map { places.info(of: $0) }
        let feet = [before, now].map(places.footArea)
        let isInfoAlike = now.info == before.info && lines[0] == lines[1]
        let isFootAlike = now.foot == before.foot && feet[0] == feet[1]
        return (now.help == before.help ? [] : panels) + (isInfoAlike ? [] : lines) + (isFootAlike ? [] : feet)
    }
}
