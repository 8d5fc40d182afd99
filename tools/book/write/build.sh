#!/bin/sh
# build.sh DIRECTORY [NN-name/exercise...]: what a page needs to compile and check exercises, in
# DIRECTORY: the compiler, the C library and the headers, the tests of each exercise as one object,
# the program that writes the verdict, each chapter's program as an object that runs on the reader's
# exercises, and the judges of open problems. Without names: all exercises that a page can have.
# Where that cannot be built, says SKIPPED: the pages have no editors then.
. tools/make/lib.sh
directory=$1
shift
clang=tools/book/node_modules/@yowasp/clang
said=$(tools/book/wasm/libraries.sh) && has_modules || {
    echo "SKIPPED: writing in the pages. ${said:-tools/book/node_modules are missing or old;" \
        "'make setup BOOK=1' installs them}"
    exit 0
}
expect_writable "$directory"
make_scratch
wasm=$(tools/book/wasm/make.sh -s print-build)
objects() { for file in "$@"; do echo "$wasm/${file%.c}.o"; done; } # of sources

# Programs that start processes cannot run in a page: chapter 16, and exercises that are programs.
in_pages() {
    printf '%s\n' $EXERCISES | grep -v '^16-' |
        while read -r e; do case " $WHOLE_PROGRAMS " in *" $e "*) ;; *) echo "$e" ;; esac; done
}
[ $# -gt 0 ] || set -- $(in_pages)

harness=$(objects tests/harness/page_*.c)
# In the place of memory that is protected, of signals and of processes the page has its own
# (tests/harness/page_*.c).
support=$(objects tests/support/[a-z]*/*.c | grep -vE '/check/(crash|guarded|exit_code)\.o$')
judges=$(printf '%s\n' $PROBLEMS | grep -v '^1[67]-' | sed 's|.*|chapters/&|')
shared=$(ls chapters/*/problems/*.c | grep -vxF "$(printf 'chapters/%s.c\n' $PROBLEMS)")
given=$(objects common/*/*.c chapters/*/*.c chapters/*/experiments/*.c $shared |
    grep -vE '/main\.o$|/chapters/1[67]-')
solutions=$(objects $(in_pages | sed 's|.*|solutions/&.c|'))
tests=$(objects $(printf 'tests/%s.c\n' "$@"))
programs=$(cd chapters && echo */main.c | tr ' ' '\n' | sed 's|/main.c||' | grep -vE '^1[67]-')
mains=$(objects $(printf 'chapters/%s/main.c\n' $programs))
judges_objects=$(objects $(printf '%s.c\n' $judges))
MAKEFLAGS='' tools/book/wasm/make.sh -s -j"$JOBS" $harness $support $given $solutions $tests \
    $mains $judges_objects \
    $(objects $(printf '%s.c\n' $judges | sed 's|^chapters|solutions|')) \
    "$wasm/verdict" || exit 1

# The functions that an exercise and its tests may call, without debug information; the linker takes
# those that are called.
library() {
    printf '%s\n' "$@" | xargs -P "$JOBS" -n 8 sh -c 'for object in "$@"; do
        [ "$object.bare" -nt "$object" ] || wasm-ld -r -S "$object" -o "$object.bare" || exit 255
    done' sh || exit 1
    llvm-ar rcs "$scratch/libcourse.a" $(printf '%s.bare\n' "$@")
}
library $support $given $solutions build/wasm/*-*.o

# The tests of an exercise with what runs them, as one object.
rest() {
    to=$directory/exercises/$1
    mkdir -p "${to%/*}"
    wasm-ld -r -S "$wasm/tests/$1.o" $harness -o "$scratch/rest.o" &&
        gzip -9n <"$scratch/rest.o" >"$to.o.gz"
}
for e in "$@"; do rest "$e" || exit 1; done

# A chapter's program without what the library has, as one object, to be linked with exercises of
# the reader's; and a line of which exercises it is linked from.
program() {
    linked=$(MAKEFLAGS='' tools/book/wasm/make.sh -s "print-objects-${1%%-*}")
    own=$(printf '%s\n' $linked | grep -E "/chapters/$1/(main|experiments/[^/]*)\.o$")
    mkdir -p "$directory/programs"
    wasm-ld -r -S $own -o "$scratch/program.o" &&
        gzip -9n <"$scratch/program.o" >"$directory/programs/$1.o.gz" || return
    echo "$1" $(printf '%s\n' $linked | sed -n "s|^$wasm/solutions/\(.*\)\.o$|\1|p")
}
for p in $programs; do program "$p" || exit 1; done >"$scratch/programs"
# The judge of an open problem, with the experiments of its chapter.
judge() {
    chapter=${1#chapters/} chapter=${chapter%%/*} to=$directory/exercises/${1#chapters/}
    mkdir -p "${to%/*}"
    wasm-ld -r -S "$wasm/$1.o" $(objects chapters/$chapter/experiments/*.c) -o "$scratch/judge.o" &&
        gzip -9n <"$scratch/judge.o" >"$to.o.gz"
}
for p in $judges; do judge "$p" || exit 1; done
llvm-strip -o "$scratch/verdict" "$wasm/verdict" &&
    gzip -9n <"$scratch/verdict" >"$directory/verdict.wasm.gz"

# The files that the compiler and the linker read: clang's own headers for C, the C library that the
# programs have, and the headers of the course.
sysroot() {
    usr=$scratch/usr
    mkdir -p "$usr/lib" "$usr/include/wasm32-wasi"
    tar -xf $clang/gen/llvm-resources.tar -C "$usr" --wildcards 'include/__std*.h' \
        'include/__float*.h'
    for header in float inttypes iso646 limits stdalign stdarg stdatomic stdbool stddef stdint \
        stdnoreturn tgmath wasm_simd128; do
        tar -xf $clang/gen/llvm-resources.tar -C "$usr" "include/$header.h"
    done
    libc=$(dirname "$(clang --target=wasm32-wasi -print-file-name=libc.a)")
    cp -R /usr/include/wasm32-wasi/. "$usr/include/wasm32-wasi"
    for library in libc libwasi-emulated-mman libwasi-emulated-signal libwasi-emulated-getpid \
        libwasi-emulated-process-clocks; do
        cp "$libc/$library.a" "$usr/lib"
    done
    cp "$libc/crt1-command.o" build/wasm/libshims.a "$scratch/libcourse.a" "$usr/lib"
    cp "$(clang --target=wasm32-wasi -print-libgcc-file-name)" "$usr/lib/libbuiltins.a"
    find common chapters tests/support tools/book/wasm/shims.h tools/book/write/malloc_filled.h \
        -name '*.h' |
        tar -cf - -T - | { mkdir -p "$usr/course" && tar -xf - -C "$usr/course"; }
}
sysroot
node tools/book/write/tar.js "$usr" | gzip -9n >"$directory/llvm-resources.tar.gz"
[ "$directory/bundle.js" -nt $clang/package.json ] || {
    for part in $clang/gen/*.wasm; do gzip -9n <"$part" >"$directory/${part##*/}.gz"; done
    cp $clang/gen/bundle.js "$directory/bundle.js" && touch "$directory/bundle.js"
}
node_modules=tools/book/node_modules
"$node_modules/.bin/esbuild" tools/book/write/codemirror.js --bundle --minify --format=iife \
    --target=es2022 --legal-comments=eof \
    --log-level=warning --outfile="$directory/codemirror.js" || exit 1
WASM=$wasm PROGRAMS=$scratch/programs node tools/book/write/pack.js "$directory" "$@"
