#!/bin/sh
# draw.sh plots/NN-name/FIGURE.gp [DIRECTORY]: draws DIRECTORY/FIGURE.svg from the CSVs there, by
# default beside the script. The figure takes its place when it is whole: a full disk does not
# destroy the old one. TERMINAL=dumb draws into the terminal instead. gnuplot draws what it finds
# and writes what it can, and is content; a figure without its data or its end is an error here.
set -u
export LC_ALL=C
script=$1 data=${2:-${1%/*}}
svg=$data/$(basename "$script" .gp).svg
case ${TERMINAL:-} in dumb) terminal=dumb ;; *) terminal=svg ;; esac
new=$svg.new-$$ said=$(mktemp) || exit 1
trap 'rm -f "$new" "$said"' EXIT
trap 'exit 1' HUP INT TERM
gnuplot -e "data='$data'; terminal='$terminal'; out='$new'" plots/style.gp "$script" 2>"$said"
status=$?
cat "$said" >&2
if grep -q 'Cannot find or open file' "$said"; then exit 1; fi
if [ "$terminal" = dumb ]; then exit $status; fi
if [ $status = 0 ] && tail -n 3 "$new" 2>/dev/null | grep -q '</svg>' && mv "$new" "$svg"; then
    echo "drawn: $svg"
else
    echo "draw: $svg: gnuplot did not finish it (a full disk?); it is as it was" >&2
    exit 1
fi
