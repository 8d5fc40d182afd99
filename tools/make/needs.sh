#!/bin/sh
# needs.sh B: the name of one file with all that the compiler wrote down under B of which object
# needs which headers. Make reads it in a tenth of the time of the hundreds that it is made of. Its
# time is that before they were read: what came later is newer.
[ -d "$1" ] && [ -w "$1" ] || exit 0
all=$1/needs.mk
if [ ! -f "$all" ] || [ -n "$(find "$1" -name '*.d' -cnewer "$all" | head -n 1)" ]; then
    : >"$all.$$.begun"
    find "$1" -name '*.d' -exec cat {} + | awk '/\\$/ { sub(/\\$/, ""); printf "%s", $0; next } 1' |
        sort -u >"$all.$$"
    touch -r "$all.$$.begun" "$all.$$" && rm "$all.$$.begun"
    mv -f "$all.$$" "$all"
fi
echo "$all"
