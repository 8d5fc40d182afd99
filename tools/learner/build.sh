#!/bin/sh
# build.sh GOAL...: makes what a learner's command needs, on all processors. The first time it says
# how many files that are, and about how long they take; in a terminal, how many there have been.
. tools/make/lib.sh
make_scratch
if has_terminal && ! ls build/*/common >/dev/null 2>&1; then
    files=$(MAKEFLAGS='' make -s -n V=1 "$@" 2>/dev/null | grep -c -- ' -c ')
    [ "$files" -lt 10 ] ||
        echo "building $files files, once: about $((files / 3 / JOBS + 1)) s on an idle machine" >&2
fi
terminal=$(has_terminal && echo yes)
# The make that asks may have jobs of its own, of which this one would warn.
flags=${MAKEFLAGS:-} variables=
case $flags in *" -- "*) variables=" -- ${flags#* -- }" flags=${flags%% -- *} ;; esac
export MAKEFLAGS="$(echo "$flags" | sed 's/ *-j[0-9]*//; s/ *--jobserver[^ ]*//g')$variables"
{ make -s -j"$JOBS" "$@" 2>&1; echo $? >"$scratch/code"; } |
    awk -v terminal="$terminal" -v all="${V:-}" '
    !all && /^  (compile|link) / {
        if (terminal) printf "\r  %d files built\033[K", ++n
        fflush()
        next
    }
    n { printf "\r\033[K"; n = 0 }
    { print }
    END { if (n) printf "\r\033[K" }' >&2
exit "$(cat "$scratch/code")"
