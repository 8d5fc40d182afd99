"""Unicode's data for chapter 18's tokenizers, from Python's unicodedata: which characters are numbers, and what NFC
needs. Writes unicode_ranges.h and unicode_pairs.h; with --check, compares them with what it would write.

Python 3.11 (Debian 12) has Unicode 14.
"""

import os
import sys
import unicodedata

FOLDER = os.path.join(os.path.dirname(__file__), "../../chapters/18-llama")
ALL = range(0x110000)
HANGUL = range(0xAC00, 0xD7A4)  # composed by arithmetic

HEAD = """/* Unicode %s for tokenizers: %s. Written by
 * tests/golden/generate_unicode.py; change that. Code points are decimal. */
#ifndef CHAPTER_18_UNICODE_%s_H
#define CHAPTER_18_UNICODE_%s_H

#include <stdint.h>

%s
/* clang-format off */
"""

RANGES = """/* Characters first to last have the same class. */
typedef struct {
    uint32_t first, last;
    int class;
} UnicodeRange;
"""

PAIRS = """/* The character `code` is canonically `first` and `second`. */
typedef struct {
    uint32_t code, first, second;
} UnicodePair;

/* Of n characters from `code` on, each is canonically one other: unicode_others[at]. */
typedef struct {
    uint32_t code;
    int n, at;
} UnicodeSingles;
"""


def runs(key):
    """[first, last, key] of neighbours for which key is the same and not 0."""
    found = []
    for code in ALL:
        value = key(code)
        if value and found and found[-1][1] == code - 1 and found[-1][2] == value:
            found[-1][1] = code
        elif value:
            found.append([code, code, value])
    return found


def array(declaration, items):
    lines, line = [], "    "
    for item in items:
        text = (str(item) if isinstance(item, int) else "{%s}" % ",".join(map(str, item))) + ","
        if len(line) + len(text) > 88:
            lines.append(line)
            line = "    "
        line += text
    return "static const %s = {\n%s\n};\n" % (declaration, "\n".join(lines + [line]))


def whole(name, owns, types, parts):
    head = HEAD % (unicodedata.unidata_version, owns, name.upper(), name.upper(), types)
    return "\n".join([head, *parts, "/* clang-format on */\n\n#endif\n"])


def ranges():
    numbers = runs(lambda code: unicodedata.category(chr(code))[0] == "N")
    return whole("ranges", "numbers, and combining classes", RANGES, [
        "/* Category N: digits, letters that are numbers, fractions and the like. */",
        array("UnicodeRange unicode_numbers[]", [(first, last, 1) for first, last, _ in numbers]),
        "/* Canonical combining classes other than 0. */",
        array("UnicodeRange unicode_classes[]", runs(lambda code: unicodedata.combining(chr(code))))])


def pairs():
    canonical = {}
    for code in ALL:
        parts = unicodedata.decomposition(chr(code))
        if parts and not parts.startswith("<") and code not in HANGUL:
            canonical[code] = [int(part, 16) for part in parts.split()]
    two = [(code, *parts) for code, parts in canonical.items() if len(parts) == 2]
    composed = [i for i, pair in enumerate(two) if unicodedata.normalize("NFC", chr(pair[0])) == chr(pair[0])]
    composed.sort(key=lambda i: two[i][1:])
    singles, others = [], []
    for first, last, _ in runs(lambda code: len(canonical.get(code, [])) == 1):
        singles.append((first, last - first + 1, len(others)))
        others += [canonical[code][0] for code in range(first, last + 1)]
    return whole("pairs", "canonical decompositions", PAIRS, [
        "/* By code. */", array("UnicodePair unicode_pairs[]", two),
        "/* Places in unicode_pairs of those that NFC composes, by first and second. */",
        array("uint16_t unicode_composed[]", composed),
        array("UnicodeSingles unicode_singles[]", singles), array("uint32_t unicode_others[]", others)])


status = 0
for name, text in ("ranges", ranges()), ("pairs", pairs()):
    path = os.path.join(FOLDER, "unicode_%s.h" % name)
    if sys.argv[1:] != ["--check"]:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    elif open(path, encoding="ascii").read() != text:
        print("%s is not what Unicode %s gives" % (path, unicodedata.unidata_version))
        status = 1
sys.exit(status)
