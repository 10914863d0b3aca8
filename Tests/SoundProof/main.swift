import TestKit

LastWill.write()
try SoundProof.run(Array(CommandLine.arguments.dropFirst()))
