#!/bin/sh
# programs.sh DIRECTORY NN-name...: the programs for WebAssembly, on the exercises of MINE, and what else run.js loads, in
# DIRECTORY.
# Where that cannot be built, says SKIPPED: the pages have no programs then.
. tools/make/lib.sh
directory=$1
shift
said=$(tools/book/wasm/libraries.sh) && command -v node >/dev/null || {
    echo "SKIPPED: programs in the pages. ${said:-node is missing}"
    exit 0
}
linked=$(tools/book/wasm/make.sh -s print-linked)
for name in "$@"; do set -- "$@" "$linked/$name" && shift; done
tools/book/wasm/make.sh -s -j"$JOBS" "$@" || exit 1
expect_writable "$directory"
small=
for program in "$@"; do
    # binaryen, where it is installed, takes off some of the size.
    [ "$program.small" -nt "$program" ] || wasm-opt --enable-simd -Oz "$program" -o "$program.small" 2>/dev/null ||
        cp "$program" "$program.small"
    small="$small $program.small"
done
node tools/book/wasm/pack.js "$directory" $small
