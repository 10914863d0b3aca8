/// Number of iterations in all.
public enum Loop: Sendable, Hashable { case forever, iterations(Int) }
