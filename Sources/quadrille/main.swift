import Glibc

exit(runQuadrille(Array(CommandLine.arguments.dropFirst())))
