#!/bin/sh
# docs.sh fill|check: refills the READMEs, guides and lessons from the truth, or fails when they
# differ from it. With QUICK=1 in the environment no program is run: only code and values are
# compared.
# A page marks what is filled in (see tools/docs/weave.awk and tools/docs/values.awk):
#
#   <!-- code: common/tensor/tape.c#add -->    the fence below holds the region //> add ... //< add
#   <!-- output: build/00-tensors --seed 1 --> the fence below holds what the command prints
#
# and lists, right below a paragraph or table, the numbers in it that come from the CSV of an
# experiment, in their order:
#
#   <!-- values
#   1.64 FILE COLUMN %.2f where KEY=VALUE KEY=VALUE
#   -->
#
# The first word is what the paragraph says; make docs changes both. In a lesson of chapter NN, FILE
# is plots/NN-name/FILE.csv; elsewhere and of another chapter it is a path. COLUMN may be
# mean(COLUMN), sd(COLUMN) (of a sample: n - 1), min(COLUMN), max(COLUMN) or count(COLUMN) over the
# rows that fit; without one of them exactly one row must. KEY=VALUE compares numbers as numbers and
# all else as text; without `where` all rows fit. A text cell takes the format %s. What no data
# know, a setting or a paper's number, is listed below the paragraph (tools/docs/decimals.awk),
# numbers first, then where they come from:
#
#   <!-- given: 0.9 0.95 AdamW's betas -->
#
# Below a paragraph with **Predict** may stand what the book (make book) asks there, a choice or a
# number on a scale, any number of lines; the right choice has a star, and the measured number is a
# value, with its whole path:
#
#   <!-- predict: One layer of attention: can | *cannot -->
#   <!-- predict: The best step: 0.001 to 1 log = plots/NN-name/FILE.csv mean(h) %.3f where a=b -->
. tools/make/lib.sh
mode=${1:-check} status=0
make_scratch
new=$scratch/new used=$scratch/used
: >"$used"
guides="CONTRIBUTING.md EXAM.md chapters/README.md common/README.md tests/README.md
    tools/README.md"
wrong() { echo "$*" >&2; status=1; }

weave() {
    awk -v used="$used" -v without_outputs="${QUICK:+1}" \
        -f tools/docs/values.awk -f tools/docs/weave.awk "$1"
}

# Whether $1 is $new; makes it so where the mode is fill.
refill() {
    cmp -s "$1" "$new" && return
    [ "$mode" = fill ] || return
    cat "$new" >"$1"
    echo "$1 refilled"
}

for readme in README.md $guides chapters/*/*.md; do
    program=build/$(basename "$(dirname "$readme")")
    case $readme in
    chapters/*/*)
        if [ -z "${QUICK:-}" ] && [ ! -x "$program" ]; then
            echo "$readme is not checked: there is no $program"
            sed -n 's/^<!-- code: \(.*\) -->$/\1/p' "$readme" >>"$used"
            continue
        fi
        ;;
    esac
    weave "$readme" >"$new" || { status=1; continue; }
    refill "$readme" || {
        wrong "$readme differs from the code or the output it quotes:"
        diff "$readme" "$new" | head -n 10 >&2
    }
done
for readme in README.md $guides chapters/*/*.md; do
    awk -f tools/docs/decimals.awk "$readme" || status=1
done

# plots/README.md shows every figure, with the comment that its script begins with.
gallery() {
    echo "# All figures"
    echo
    echo "Each is drawn by the script of its name from the data beside it, by \`make plots-NN\`."
    for script in plots/*/*.gp; do
        figure=${script#plots/} figure=${figure%.gp}
        printf '\n![%s](%s.svg)\n\n' "$figure" "$figure"
        awk '!/^#/ { exit }
            { sub(/^# ?(Chapter [0-9]+: )?/, ""); text = text $0 " " }
            END { sub(/ +$/, "", text); print toupper(substr(text, 1, 1)) substr(text, 2) }
        ' "$script"
    done
}
gallery >"$new"
refill plots/README.md || wrong "plots/README.md is not what the figures' scripts say: make docs"

# The map of a chapter, the table of its lesson that begins "| file |", names every file of its
# folder and none that is not there; name.[ch] stands for two, name/ for a directory.
map_of() {
    awk '/^\| file \|/ { inside = 1 }
        !/^\|/ { inside = 0 }
        inside { split($0, cell, "|"); print cell[2] }' "$1" |
        grep -o '`[^`]*`' | tr -d '`' |
        sed -e '/\.\[ch\]$/{ s///; s/.*/&.h &.c/; }' | tr ' ' '\n' | sort
}
for folder in chapters/*/; do
    lesson=${folder}README.md
    map_of "$lesson" >"$new"
    for name in $(cat "$new"); do
        [ -e "$folder$name" ] || wrong "$lesson: its map names $name, which is not there"
    done
    for file in "$folder"*.[ch]; do
        grep -qxF "${file##*/}" "$new" || wrong "$lesson: its map has no ${file##*/}"
    done
done

# Files that these pages point at; NN, X and chapter 20 are only examples.
for guide in $guides; do
    for path in $(grep -oE '`(chapters|common|exercises|solutions|tests|tools|plots)/[^` *]*`' \
        $guide | tr -d '`' | grep -vE 'NN-|/20-'); do
        [ -e "$path" ] || wrong "$guide names $path, which is not there"
    done
done

# tools/README.md names the scripts, and no other.
for file in tools/docs/* tools/learner/*.sh tools/make/*.* tools/test/*; do
    grep -qF "${file##*/}\`" tools/README.md ||
        { echo "tools/README.md does not name $file" >&2; status=1; }
done
for name in $(grep -oE '`[a-z/_-]+\.(sh|awk|mk|js|txt|sums)`' tools/README.md | tr -d '`'); do
    ls tools/$name tools/*/$name 2>/dev/null | grep -q . ||
        { echo "tools/README.md names $name, which is not there" >&2; status=1; }
done
# A region that no README shows, nor the page of one token, is a leftover.
grep -ohE '(chapters|solutions)/[^"#]*\.[ch]#[a-z0-9_-]+' tools/book/token/steps.js >>"$used"
grep -rhoE '^ *//> [a-z0-9_-]+' common chapters solutions --include='*.[ch]' --with-filename |
    sed 's|: *//> |#|' | grep -vxFf "$used" |
    while read -r tag; do echo "$tag: no README shows this region"; done >"$new"
[ ! -s "$new" ] || wrong "$(cat "$new")"
exit $status
