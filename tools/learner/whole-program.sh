#!/bin/sh
# whole-program.sh SOURCE OBJECT [FLAG...]: an exercise that is a program (WHOLE_PROGRAMS,
# tools/make/chapters.mk). SOURCE is compiled by itself, as anybody would do it, to OBJECT with
# .program in the place of .o; OBJECT has the two paths, for what is linked with it: gpt2_program
# and gpt2_source, or as WHOLE_NAME says. Of make's flags only those that look for mistakes hold
# here.
source=$1 object=$2 program=${2%.o}.program name=${WHOLE_NAME:-gpt2}
shift 2
set -- $(printf '%s\n' $ALL_FLAGS | grep -E '^-(O0|fsanitize=.*|fno-sanitize.*)$' |
    grep -v thread) "$@"
case $source in solutions/*) GRADE_UID= ;; esac # ours, which no learner's compiler may read
tools/learner/as-learner.sh "$program" -- $CC -std=c11 -O2 -g -Wall -Wextra "$@" "$source" -lm \
    -o "$program" || exit 1
printf 'extern const char %s[], %s[];\nconst char %s[] = "%s", %s[] = "%s";\n' "${name}_program" \
    "${name}_source" \
    "${name}_program" "$program" "${name}_source" "$source" | $CC -x c -c - -o "$object"
