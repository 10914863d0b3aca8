/// Power of the display. `cec`: true if the television is switched off, too.
public enum DisplayPower: Sendable, Equatable { case on, off(cec: Bool) }
