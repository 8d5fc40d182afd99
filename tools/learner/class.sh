#!/bin/sh
# class.sh DIR [COURSE]: a repository for a class, or for one learner: stubs, a file that says how
# to work, and a workflow that grades each push, the exercises of the week in week.txt, with the
# course at COURSE (a git address; without one, where this clone came from). No solutions: the
# course's programs and tests are linked with them, so the class repository holds learners' files
# alone.
. tools/make/lib.sh
dir=$1 course=${2:-$(git remote get-url origin 2>/dev/null)}
[ -n "$dir" ] || {
    echo "make: make class DIR=../my-class: the directory to make is missing" >&2
    exit 2
}
case $dir in -*) dir=./$dir ;; esac
[ ! -e "$dir" ] || {
    echo "make: DIR=$dir: is there already; a new directory was expected" >&2
    exit 2
}
[ -n "$course" ] || {
    echo "make: COURSE=https://...: the address to clone the course from is missing" >&2
    exit 2
}
version=$(git rev-parse HEAD 2>&1) || {
    echo "make: make class needs the course's git history: $(echo "$version" | head -n 1)" >&2
    exit 1
}

mkdir -p "$dir/mine" "$dir/.github/workflows" || exit 1
for file in $(stub_files); do
    mkdir -p "$dir/mine/${file%/*}" && cp "tests/${file%.c}.stub" "$dir/mine/$file" || exit 1
done
echo "$course" >"$dir/COURSE"
echo "$version" >>"$dir/COURSE"
echo 1 >"$dir/week.txt"

cat >"$dir/README.md" <<'END'
# Your exercises of "From LayerNorm to GPT-2, in C"

`mine/` has your files. The course itself is another repository; clone it beside this one, and let
it find your files:

    git clone "$(head -n 1 COURSE)" course && git -C course checkout "$(tail -n 1 COURSE)"
    ln -s ../mine course/mine
    make -C course own next

Then work in `course/` as its README says, and commit here. Each push is graded, the exercises of
the week that `week.txt` says: the results are files of the workflow's run, with points.
END
cat >"$dir/.gitignore" <<'END'
/course/
/mine/.stubs/
END
cat >"$dir/.github/workflows/grade.yml" <<'END'
name: grade
on: [push]
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-24.04
    container: debian:12
    steps:
      - run: apt-get update && apt-get install -y git make gcc libc6-dev
      - uses: actions/checkout@v4
      - run: git clone "$(head -n 1 COURSE)" course && git -C course checkout "$(tail -n 1 COURSE)"
      - run: ln -s ../mine course/mine && make -C course setup MPI=1 && make -C course own
      - run: make -C course grade OUT=../results WEEK="$(cat week.txt)"
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: results
          path: results
END
count=$(find "$dir/mine" -name '*.c' ! -name '*.attack.c' ! -path '*/problems/*' | grep -c .)
echo "$dir has $count exercises and no solutions; the course comes from $course at" \
    "$(echo "$version" | cut -c1-7)" | in_columns
