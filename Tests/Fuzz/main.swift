import TestKit

LastWill.write()
try Fuzz.run(Array(CommandLine.arguments.dropFirst()))
