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
# Homebrew's folder, in which no compiler looks, where it has the packages (setup.sh).
homebrew='' prefix=
command -v apt-get >/dev/null || command -v dnf >/dev/null || homebrew=$(command -v brew)
sum=$(printf '%s' "$CC $ARCH $(ls -lL $programs) $homebrew" | cksum)
file=build/compiler/${sum%% *}.mk

knows() { $CC "$@" -x c -c /dev/null -o /dev/null 2>/dev/null; }
takes() { knows $ARCH -Werror "$@"; }
links() { echo 'int main(void) { return 0; }' | $CC "$@" -x c - -o /dev/null 2>/dev/null; }
# answer NAME VALUE COMMAND...: VALUE, or nothing where COMMAND fails.
answer() {
    name=$1 value=$2
    shift 2
    "$@" || value=
    echo "$name := $value"
}
# clang of macOS has OpenMP where Homebrew's libomp is.
libomp() {
    places_of "$prefix/opt/libomp"
    compile="-Xpreprocessor -fopenmp $headers" link="$libraries -lomp"
    [ -n "$homebrew" ] && links $compile $link
}
places_of() { headers="-isystem $1/include" libraries="-L$1/lib -Wl,-rpath,$1/lib"; }
openmp() {
    if links -fopenmp; then
        echo "OPENMP := -fopenmp"
        echo "OPENMP_LINK := -fopenmp"
    elif libomp; then
        echo "OPENMP := $compile"
        echo "OPENMP_LINK := $link"
    else
        echo "OPENMP :="
    fi
}
answers() {
    # clang of macOS knows no -march=native on some processors.
    if [ "$ARCH" = -march=native ] && ! knows $ARCH; then
        ARCH=$(knows -mcpu=native && echo -mcpu=native)
        echo "ARCH := $ARCH"
    fi
    places_of "$prefix"
    answer PLACES "$headers" test -n "$homebrew"
    answer LINK_PLACES "$libraries" test -n "$homebrew"
    # An enum is a constant here: clang 19 warns where it meets a double.
    answer COMPILER_WARNINGS -Wno-enum-float-conversion takes -Wenum-float-conversion
    # clang 19 complains of its own -march=native on processors with AVX10.
    $CC $ARCH -Werror -x c -c /dev/null -o /dev/null 2>&1 |
        grep -o -m 1 'W[a-z]*invalid-feature-combination' |
        sed 's/^W/COMPILER_WARNINGS += -Wno-/'
    openmp
    # gcc takes MPICH's MPI_STATUSES_IGNORE for an array without room.
    answer MPI_WARNINGS -Wno-stringop-overflow takes -Wstringop-overflow
    # Where a processor has vectors of 512 bits, compilers mostly use half of them.
    answer WIDEST -mprefer-vector-width=512 takes -mprefer-vector-width=512
    # Tuned for some processors (Zen, Alder Lake) gcc leaves multiply-adds that wait for each other
    # unfused, and the same program would round differently there.
    answer FUSE_CHAINS '--param avoid-fma-max-bits=0' takes --param avoid-fma-max-bits=0
    # A linker that leads calls elsewhere.
    answer CAN_WRAP yes links -Wl,--wrap=main_
}
# OpenMP may have been installed since.
if ! grep -qs '^OPENMP := *[^ ]' "$file"; then
    [ -z "$homebrew" ] || prefix=$(brew --prefix)
    if openmp | grep -q -e -fopenmp; then rm -f "$file"; fi
fi
if [ ! -f "$file" ]; then
    links && mkdir -p build/compiler 2>/dev/null && [ -w build/compiler ] || no_answers
    answers >"$file.$$"
    mv "$file.$$" "$file"
fi
echo "$file"
