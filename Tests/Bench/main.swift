import Foundation
import TestKit

LastWill.write()
exit(Bench.run(Array(CommandLine.arguments.dropFirst())))
