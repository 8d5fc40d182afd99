/* Words in lines of a terminal: see words.h. */
#include "base/words.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int print_words(FILE *to, int at, int indent, const char *words) {
    enum { COLUMNS = 79 };
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        if (at + 1 + (int)n > COLUMNS) at = fprintf(to, "\n%*s", indent - 1, "") - 1;
        at += fprintf(to, " %.*s", (int)n, words);
    }
    return at;
}

size_t screen_columns(FILE *to) {
    enum { USUAL = 80 };
#ifdef TIOCGWINSZ /* WebAssembly has no terminals, and a page is a screen */
    struct winsize size;
    if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0) return size.ws_col;
#endif
    return isatty(fileno(to)) == 1 ? USUAL : 0;
}

int print_message(FILE *to, int at, int indent, const char *words) {
    if (screen_columns(to)) return print_words(to, at, indent, words);
    return at + fprintf(to, " %s", words);
}
