#!/bin/sh
# plots.sh [--quick] [CHAPTER...]: runs the experiments (all of them, at full size) and draws plots/NN-*.gp.
# A quick look goes to build/plots; TERMINAL=dumb draws into the terminal. A claim that does not hold ends it with exit code 3,
# after the line that says what was measured.
set -u
export LC_ALL=C
. tools/learner/waiting.sh
data=plots/data figures=plots quick=
[ "${1:-}" = --quick ] && { quick=--quick data=build/plots/data figures=build/plots; shift; }
terminal=${TERMINAL:-svg}
case $terminal in svg | dumb) ;; *) printf 'plots: TERMINAL=%s: expected svg or dumb\n' "$terminal" >&2; exit 2 ;; esac
mkdir -p "$data" "$figures"
command -v gnuplot >/dev/null 2>&1 || { echo "plots: gnuplot is missing; 'make setup' installs it" >&2; exit 1; }

for chapter in ${*:-$(cd chapters && ls)}; do
    echo "-- $chapter"
    [ -x "build/$chapter" ] || { echo "not built"; continue; }
    "build/$chapter" --help | grep -q '^experiments:' || { echo "no experiments"; continue; }
    launch=chapters/$chapter/launch.sh # four processes, unless RANKS says otherwise
    if [ -x "$launch" ]; then export RANKS="${RANKS:-4}"; else launch=; fi
    $launch "build/$chapter" --experiment all --out "$data" $quick || exit $?
    for script in plots/"${chapter%%-*}"-*.gp; do
        [ -f "$script" ] || continue
        figure=$(basename "$script" .gp)
        case $figure in *-published-*) [ -f "$data/$figure.csv" ] || continue ;; esac # of an experiment that needs a model
        tools/docs/draw.sh "$script" "$data" "$figures/$figure.svg" || exit 1
    done
done
