// Takes the id of its parent process and a command, and executes the command. The kernel kills the command when the
// thread that started it ends. If the parent has ended already, the command is not executed.
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
