/* Memory of the program: see memory_usage.h. */
#include "base/memory_usage.h"

#include <math.h>
#include <stdio.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

double memory_usage_bytes(void) {
    FILE *f = fopen("/proc/self/status", "r");
    double kilobytes = NAN;
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "VmRSS: %lf", &kilobytes) == 1) break;
    }
    if (f) fclose(f);
    return 1024 * kilobytes;
}

void memory_usage_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
