// Takes the id of its parent process, a priority, and a command, and executes the command. The kernel kills the command
// when the thread that started it ends. If the parent has ended already, the command is not executed. The priority is
// "usual", "low" (a third of the usual share), or "idle" (the scheduler's idle class, which gets the time that nothing
// else wants).
#define _GNU_SOURCE
#include <sched.h>
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
    const struct sched_param none = {0};
    if (!strcmp(words[2], "low")) nice(5);
    if (!strcmp(words[2], "idle")) sched_setscheduler(0, SCHED_IDLE, &none);
    execvp(words[3], words + 3);
    perror(words[3]);
    return 127;
}
