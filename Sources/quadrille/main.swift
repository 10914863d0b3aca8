import Glibc

exit(runQuadrille())
