#!/bin/sh
# wrong.sh NN/EXERCISE/NAME: writes this known-wrong solution (a line of
# tests/NN-name/EXERCISE.mutants) to build/wrong/NN/EXERCISE/NAME, a directory that make takes for a
# learner's (WRONG=). Where there is no such one, it says which there are.
. tools/make/lib.sh
given=$1 number=${1%%/*} name=${1##*/} exercise=${1#*/}
exercise=${exercise%/*}
case $given in
*/*/*/* | *.*/*/*) mutants= ;;
*/*/*) mutants=$(ls tests/"$number"-*/"$exercise".mutants 2>/dev/null) ;;
*) mutants= ;;
esac
[ -n "$mutants" ] || {
    echo "expected chapter, exercise and name of a line of tests/NN-name/EXERCISE.mutants, as" \
        "01/layernorm/no-mean"
    exit 1
}
line=$(awk -v name="$name" -F ' [|] ' '$1 == name' "$mutants")
[ -n "$line" ] || { echo "no such wrong solution; there are:" $(grep -v -e '^#' -e '^$' "$mutants" |
    sed 's/ | .*//'); exit 1; }
solution=${mutants#tests/}
solution=${solution%.mutants}.c
file=build/wrong/$given/$solution
mkdir -p "$(dirname "$file")"
sed "$(mutant_edit "$line")" "solutions/$solution" >"$file.$$"
# Written only where it differs, so that make builds it once.
if cmp -s "$file" "$file.$$"; then rm "$file.$$"; else mv "$file.$$" "$file"; fi
