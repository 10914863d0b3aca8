import TestKit

LastWill.write()
try Soak.run(Array(CommandLine.arguments.dropFirst()))
