#!/bin/sh
# build.sh GOAL...: makes what a learner's command needs, on all processors. A terminal shows how
# many files have been compiled, of how many, and beforehand about how long it takes.
. tools/make/lib.sh
make_scratch
# The make that asks may have jobs of its own, of which this one would warn.
flags=${MAKEFLAGS:-} variables=
case $flags in *" -- "*) variables=" -- ${flags#* -- }" flags=${flags%% -- *} ;; esac
export MAKEFLAGS="$(echo "$flags" | sed 's/ *-j[0-9]*//; s/ *--jobserver[^ ]*//g')$variables"

clear_line() { [ -z "$counted" ] || printf '\r\033[K'; }
# count GOAL...: another file is compiled; behind the first, make says how many are to come.
count() {
    if [ -z "$counted" ]; then
        files=$(make -s -n V=1 "$@" 2>/dev/null | grep -c -- ' -c ')
        files=$((files + 1))
        [ "$files" -lt $((30 * JOBS)) ] ||
            echo "building $files files, once: about $((files / 3 / JOBS)) s on an idle machine"
    fi
    counted=$((${counted:-0} + 1))
    [ "$counted" -le "$files" ] || files=$counted
    printf '\r  %d of %d files built\033[K' "$counted" "$files"
}
counted=
{ make -s -j"$JOBS" "$@" 2>&1; echo $? >"$scratch/code"; } | {
    # read takes lines as they come; mawk waits for 4096 bytes of them.
    while IFS= read -r line; do
        case ${V:-}$line in
        '  compile '*) ! has_terminal || count "$@" ;;
        '  link '*) ;;
        *) clear_line && printf '%s\n' "$line" ;;
        esac
    done
    clear_line
} >&2
exit "$(cat "$scratch/code")"
