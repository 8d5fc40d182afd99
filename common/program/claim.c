/* Claims: see claim.h. */
#include "program/claim.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/words.h"

static bool claims_are_strict = true;

void claim(bool holds, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!holds && claims_are_strict) die_claim("claim does not hold: %s", text);
    int at = printf("%s:", holds ? "holds" : "too short a run to tell");
    print_message(stdout, at, 2, text);
    putchar('\n');
}

void claim_set_strict(bool strict) {
    claims_are_strict = strict;
}
