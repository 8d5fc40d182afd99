/* Open problem 17/train. The rules are in chapters/17-one-file/problems/train.h. This
 * file stands alone: nothing of the course is included. PROBLEM_TODO("17/train"): take
 * this word away when you begin. */
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    for (int step = 1; step <= 20; step++) /* nothing is read, 257 tokens are guessed */
        printf("%d %.6f\n", step, log(257));
    return 0;
}
