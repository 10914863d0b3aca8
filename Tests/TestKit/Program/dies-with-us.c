// Takes the id of its parent process, a priority, and a command, and executes the command. The kernel kills the command
// when the thread that started it ends. If the parent has ended already, the command is not executed. The priority is
// "usual" or "low" (a tenth of the usual share).
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int count, char **words) {
    if (count < 4) return 127;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != atoi(words[1])) return 127;
    if (!strcmp(words[2], "low")) nice(10);
    execvp(words[3], words + 3);
    perror(words[3]);
    return 127;
}
