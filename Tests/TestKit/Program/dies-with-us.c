// Becomes the command that follows the id of the process that started it, and which the kernel ends with it: with the
// thread that started it, in fact. Had that ended already, there is nobody to end with.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int count, char **words) {
    if (count < 3) return 127;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != atoi(words[1])) return 127;
    execvp(words[2], words + 2);
    perror(words[2]);
    return 127;
}
