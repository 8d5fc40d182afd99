/* Which of the solutions an attack in a page meets. All of them are linked into its
 * module, their functions renamed, FUNCTION__3; under the names that the tests call
 * stands what calls those of one of them (tools/book/write/attacks.sh). */
#include <stdlib.h>

extern int attack_variant;
int attack_variant;

__attribute__((constructor)) static void choose_variant(void) {
    const char *number = getenv("ATTACK_VARIANT");
    if (number) attack_variant = atoi(number);
}
