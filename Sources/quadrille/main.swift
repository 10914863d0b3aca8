import Glibc

exit(runQuadrille(Array(commandLine().dropFirst())))
