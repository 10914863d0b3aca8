/// Returns true if a file of this container has a single frame.
func isImage(_ container: String) -> Bool { container == "image2" || container.hasSuffix("_pipe") }
