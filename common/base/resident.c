/* Memory of the program: see resident.h. */
#include "base/resident.h"

#include <math.h>
#include <stdio.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

double resident_bytes(void) {
    FILE *f = fopen("/proc/self/status", "r");
    double kilobytes = NAN;
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "VmRSS: %lf", &kilobytes) == 1) break;
    }
    if (f) fclose(f);
    return 1024 * kilobytes;
}

void resident_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
