#!/bin/sh
# plots.sh [--quick] [CHAPTER...]: runs the experiments (all of them, at full size), which write to
# plots/CHAPTER, then draws the figures there. A quick look goes to build/plots/CHAPTER;
# TERMINAL=dumb draws into the terminal. Where a claim does not hold the others go on and all is
# drawn, and the end says which it was, with exit code 3. What goes wrong otherwise ends it at once.
# As many experiments run at a time as there are cores, each with one thread, the longest first: no
# number depends on that. Those that --list calls timed, and those of a chapter that starts
# processes of its own, follow, one by one. How long each took the last time that all of them ran is
# in plots/seconds.txt.
set -u
export LC_ALL=C
. tools/learner/openmp-wait.sh
out=plots quick=
[ "${1:-}" = --quick ] && { quick=--quick out=build/plots; shift; }
case ${TERMINAL:-svg} in
svg | dumb) ;;
*) printf 'plots: TERMINAL=%s: expected svg or dumb\n' "$TERMINAL" >&2; exit 2 ;;
esac
command -v gnuplot >/dev/null 2>&1 || {
    echo "plots: gnuplot is missing; 'make setup' installs it" >&2
    exit 1
}
cores=$(tools/learner/cores.sh)
export RANKS="${RANKS:-4}" # of a chapter that has a launch.sh

S=$(mktemp -d) && mkfifo "$S/ended" && exec 3<>"$S/ended" || exit 1
stop() {
    for run in "$S"/*.runs; do [ ! -f "$run" ] || kill "$(cat "$run")" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$S"
}
trap stop EXIT
trap 'exit 130' HUP INT TERM

# The lists: seconds, chapter, experiment.
chapters=
for chapter in ${*:-$(cd chapters && ls -d */ | tr -d /)}; do
    [ -x "build/$chapter" ] || { echo "$chapter: not built"; continue; }
    chapters="$chapters $chapter"
    [ -x "chapters/$chapter/launch.sh" ] && own=1 || own=
    "build/$chapter" --list |
        awk -v chapter="$chapter" -v own="$own" -v beside="$S/beside" -v alone="$S/alone" '
            FILENAME != "-" { seconds[$1, $2] = $3; next }
            {
                list = own || $2 == "timed" ? alone : beside
                print ((chapter, $1) in seconds ? seconds[chapter, $1] : 10), chapter, $1 >>list
            }
        ' plots/seconds.txt FS='\t' -
done
touch "$S/beside" "$S/alone"
sort -rn "$S/beside" -o "$S/beside"
sum() { awk '{ sum += $1 } END { print sum + 0 }' "$S/$1"; }
beside_left=$(sum beside) alone_left=$(sum alone) running=0
count() { grep -c . "$S/$1"; }
echo "$(count beside) experiments, $cores at a time, and $(count alone) that run alone"

# Minutes from two minutes on.
about() { [ "$1" -lt 120 ] && echo "$1 s" || echo "$((($1 + 30) / 60)) min"; }

# begin SECONDS CHAPTER EXPERIMENT OPTION...: in the background; what it says is kept for its end.
begin() {
    seconds=$1 chapter=$2 experiment=$3
    shift 3
    launch=chapters/$chapter/launch.sh
    [ -x "$launch" ] || launch=
    left=$((beside_left / cores + alone_left))
    [ "$left" -ge "$seconds" ] || left=$seconds
    left=": about $(about "$seconds"); $(about "$left") to go"
    [ -z "$quick" ] || left=
    echo "${chapter%%-*} $experiment$left"
    running=$((running + 1))
    {
        from=$(date +%s)
        $launch "build/$chapter" --experiment "$experiment" --out "$out/$chapter" "$@" $quick \
            </dev/null >"$S/$chapter.$experiment" 2>&1 3>&- &
        echo $! >"$S/$chapter.$experiment.runs"
        wait $! 2>/dev/null
        echo "$? $seconds $chapter $experiment $(($(date +%s) - from))" >&3
    } &
}

# Waits until one of them ends and shows what it said.
one_ends() {
    read -r code seconds chapter experiment took <&3
    said=$S/$chapter.$experiment
    rm "$said.runs"
    running=$((running - 1))
    echo "$chapter $experiment $took" >>"$S/took"
    fold -s -w 76 "$said" | sed "1s/^== /== ${chapter%%-*} /; 1!s/^/   /"
    case $code in
    0) ;;
    3)
        grep 'claim does not hold' "$said" |
            sed "s/^[^:]*:/${chapter%%-*} $experiment:/" >>"$S/broken"
        ;;
    *) exit "$code" ;;
    esac
}

while read -r line; do
    [ $running -lt "$cores" ] || { one_ends && beside_left=$((beside_left - seconds)); }
    begin $line --threads 1
done <"$S/beside"
while [ $running -gt 0 ]; do one_ends; done
beside_left=0
while read -r line; do
    begin $line
    one_ends
    alone_left=$((alone_left - seconds))
done <"$S/alone"
[ -n "$quick$*" ] || sort "$S/took" >plots/seconds.txt

for chapter in $chapters; do
    for script in plots/"$chapter"/*.gp; do
        [ -f "$script" ] || continue
        case $script in # of an experiment that needs a model
        */published-*) [ -f "$out/$chapter/$(basename "$script" .gp).csv" ] || continue ;;
        esac
        tools/docs/draw.sh "$script" "$out/$chapter" || exit 1
    done
done
[ ! -f "$S/broken" ] || { fold -s -w 80 "$S/broken" >&2 && exit 3; }
