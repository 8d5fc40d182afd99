#!/bin/sh
# docs.sh fill|check: refills the READMEs from the truth, or fails when they differ from it.
# A README marks what is filled in (see tools/weave.awk):
#
#   <!-- code: common/tape.c#add -->          the fence below holds the region //> add ... //< add of that file
#   <!-- output: build/00-tensors --seed 1 --> the fence below holds what the command prints on standard output
. tools/lib.sh
mode=${1:-check} status=0
new=$(mktemp) used=$(mktemp)
for readme in README.md chapters/*/README.md; do
    [ -f "$readme" ] || continue
    if ! awk -v used="$used" -f tools/weave.awk "$readme" >"$new"; then
        status=1
        continue
    fi
    cmp -s "$readme" "$new" && continue
    if [ "$mode" = fill ]; then
        cat "$new" >"$readme"
        echo "$readme refilled"
    else
        echo "$readme differs from the code or the output it quotes:" >&2
        diff "$readme" "$new" | head -n 10 >&2
        status=1
    fi
done
# A region that no README shows is a leftover.
grep -rhoE '^ *//> [a-z0-9_-]+' common chapters solutions --include='*.[ch]' --with-filename | sed 's|: *//> |#|' |
    while read -r tag; do
        grep -qxF "$tag" "$used" || { echo "$tag: no README shows this region" >&2; exit 1; }
    done || status=1
rm -f "$new" "$used"
exit $status
