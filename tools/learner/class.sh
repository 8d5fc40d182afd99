#!/bin/sh
# class.sh: what a class needs, in DIR, of KIND (plain). Called by make with DIR, KIND, WEEK (1),
# and COURSE, a git address (where this clone came from).
#
#   plain         a repository of stubs, whose workflow grades each push
#   classroom50   template/, such a repository without the workflow, and autograder/, for the
#                 teacher's classroom50 repository
#   gradescope    template/, and autograder.zip
#
# No solutions are in what learners get: the course's programs and tests are linked with them.
# tools/class/ has what is copied.
. tools/make/lib.sh
usage() { echo "make: $1" | in_columns >&2; exit 2; }
dir=${DIR:-} kind=${KIND:-plain} week=${WEEK:-1}
course=${COURSE:-$(git remote get-url origin 2>/dev/null)}
[ -n "$dir" ] || usage "make class DIR=../my-class: the directory to make is missing"
case $dir in -*) dir=./$dir ;; esac
[ ! -e "$dir" ] || usage "DIR=$dir: is there already; a new directory was expected"
case $kind in plain) template=$dir ;; classroom50 | gradescope) template=$dir/template ;;
*) usage "KIND=$kind: expected plain, classroom50 or gradescope" ;; esac
awk '!/^#/ { print $2 }' tools/learner/points.txt | grep -qxF -e "$week" ||
    usage "WEEK=$week: no such week in tools/learner/points.txt"
[ -n "$course" ] || usage "COURSE=https://...: the address to clone the course from is missing"
version=$(git rev-parse HEAD 2>&1) || {
    echo "make: make class needs the course's git history: $(echo "$version" | head -n 1)" >&2
    exit 1
}

name_course() { printf '%s\n' "$course" "$version" >"$1/COURSE"; }
name_week() { echo "$week" >"$1/week.txt"; }
make_template() {
    for file in $(stub_files); do
        mkdir -p "$template/mine/${file%/*}" &&
            pristine_stub "${file%.c}" >"$template/mine/$file" || return
    done
    cp tools/class/README.md "$template" && name_course "$template" &&
        printf '%s\n' /course/ /mine/.stubs/ >"$template/.gitignore"
}

plain() {
    name_week "$dir" && mkdir -p "$dir/.github/workflows" &&
        cp tools/class/grade.yml "$dir/.github/workflows"
}
classroom50() {
    mkdir "$dir/autograder" && cp tools/class/autograder.py "$dir/autograder" &&
        name_course "$dir/autograder" && name_week "$dir/autograder"
}
gradescope() {
    name_week "$dir" && git archive -o "$dir/autograder.zip" --add-file="$dir/week.txt" \
        --add-file=tools/class/setup.sh --add-file=tools/class/run_autograder \
        --prefix=course/ HEAD && rm "$dir/week.txt"
}

make_template && $kind || exit 1
count=$(find "$template/mine" -name '*.c' ! -name '*.attack.c' ! -path '*/problems/*' | grep -c .)
echo "$template has $count exercises and no solutions; the course comes from $course at" \
    "$(echo "$version" | cut -c1-7)" | in_columns
