#!/bin/sh
# plots.sh [--quick] [CHAPTER...]: runs the experiments (all of them, at full size) and draws plots/NN-*.gp.
# A quick look goes to build/plots; TERMINAL=dumb draws into the terminal. A claim that does not hold ends it with exit code 3,
# after the line that says what was measured.
set -u
data=plots/data figures=plots quick=
[ "${1:-}" = --quick ] && { quick=--quick data=build/plots/data figures=build/plots; shift; }
mkdir -p "$data" "$figures"
command -v gnuplot >/dev/null 2>&1 || { echo "plots: gnuplot is missing; 'make setup' installs it" >&2; exit 1; }

for chapter in ${*:-$(cd chapters && ls)}; do
    echo "-- $chapter"
    "build/$chapter" --help | grep -q '^experiments:' || { echo "no experiments"; continue; }
    "build/$chapter" --experiment all --out "$data" $quick || exit $?
    for script in plots/"${chapter%%-*}"-*.gp; do
        [ -f "$script" ] || continue
        figure=$(basename "$script" .gp)
        if [ "${TERMINAL:-svg}" = dumb ]; then
            gnuplot -e "data='$data'; terminal='dumb'" plots/style.gp "$script" || exit 1
        else
            gnuplot -e "data='$data'; terminal='svg'; out='$figures/$figure.svg'" plots/style.gp "$script" || exit 1
            echo "drawn: $figures/$figure.svg"
        fi
    done
done
