#!/bin/sh
# compiler.sh CC ARCH: what the compiler can do, as variables for flags.mk, in a file whose name is
# printed. Asked once: the answers take as long as the tests of a small exercise. No compiler that
# works, no answers, in no file: build.mk's `libraries` tells.
no_answers() { echo /dev/null; exit; }
CC=$1 ARCH=$2
export LC_ALL=C
# CC may be "ccache gcc", or "gcc -m64".
programs=$(for word in $CC; do case $word in (-*) ;; (*) command -v "$word" ;; esac; done)
[ -n "$programs" ] || no_answers
file=build/compiler/$(printf '%s' "$CC $ARCH $(ls -lL $programs)" | cksum | cut -d ' ' -f 1).mk

takes() { $CC $ARCH -Werror "$@" -x c -c /dev/null -o /dev/null 2>/dev/null; }
links() { echo 'int main(void) { return 0; }' | $CC "$@" -x c - -o /dev/null 2>/dev/null; }
# answer NAME VALUE COMMAND...: VALUE, or nothing where COMMAND fails.
answer() {
    name=$1 value=$2
    shift 2
    "$@" || value=
    echo "$name := $value"
}
answers() {
    # An enum is a constant here: clang 19 warns where it meets a double.
    answer COMPILER_WARNINGS -Wno-enum-float-conversion takes -Wenum-float-conversion
    # clang 19 complains of its own -march=native on processors with AVX10.
    $CC $ARCH -Werror -x c -c /dev/null -o /dev/null 2>&1 |
        grep -o -m 1 'W[a-z]*invalid-feature-combination' |
        sed 's/^W/COMPILER_WARNINGS += -Wno-/'
    answer OPENMP -fopenmp links -fopenmp
    # Where a processor has vectors of 512 bits, compilers mostly use half of them.
    answer WIDEST -mprefer-vector-width=512 takes -mprefer-vector-width=512
    # Tuned for some processors (Zen, Alder Lake) gcc leaves multiply-adds that wait for each other
    # unfused, and the same program would round differently there.
    answer FUSE_CHAINS '--param avoid-fma-max-bits=0' takes --param avoid-fma-max-bits=0
    # A linker that leads calls elsewhere.
    answer CAN_WRAP yes links -Wl,--wrap=main_
}
# OpenMP may have been installed since.
if [ -f "$file" ] && grep -q '^OPENMP := $' "$file" && links -fopenmp; then rm -f "$file"; fi
if [ ! -f "$file" ]; then
    links && mkdir -p build/compiler 2>/dev/null && [ -w build/compiler ] || no_answers
    answers >"$file.$$"
    mv "$file.$$" "$file"
fi
echo "$file"
