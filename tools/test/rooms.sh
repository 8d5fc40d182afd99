#!/bin/sh
# rooms.sh: no room of common/ includes one that comes after it in common/README.md, and that page
# names every room and file, and no other.
set -u
cd common || exit 1
status=0
wrong() { echo "common/$1" >&2 && status=1; }

# "ROOM FILE" for each file that the page names, in its order.
named=$(awk '/^## / { room = $2; sub(/:$/, "", room) }
    /^\| `/ { name = $2; gsub(/`/, "", name)
        if (!sub(/\.\[ch\]$/, "", name)) print room, name
        else { print room, name ".c"; print room, name ".h" } }' README.md)
rooms=$(echo "$named" | cut -d ' ' -f 1 | uniq)

there=$(ls -d */*.[ch] | tr / ' ')
[ "$(echo "$named" | sort)" = "$(echo "$there" | sort)" ] || {
    wrong "README.md does not name the files that there are, each once:"
    printf '%s\n%s\n' "$named" "$there" | sort | uniq -u >&2
}

above=
for room in $rooms; do
    above="$above $room"
    for included in $(sed -n 's|^#include "\([^/"]*\)/.*|\1|p' "$room"/*.[ch] | sort -u); do
        case " $above " in *" $included "*) continue ;; esac
        file=$(grep -l "^#include \"$included/" "$room"/*.[ch] | head -n 1)
        wrong "$file includes $included/, a room that comes after $room/"
    done
done
exit $status
