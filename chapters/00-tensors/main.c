/* placeholder until written below */
#include "program.h"
static void demo(const Settings *s) { (void)s; }
int main(int argc, char **argv) { return program_run(argc, argv, &(Program){.name = "00-tensors", .summary = "x", .example = "", .demo = demo}); }
