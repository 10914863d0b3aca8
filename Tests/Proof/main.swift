import TestKit

LastWill.write()
try Proof.run(Array(CommandLine.arguments.dropFirst()))
