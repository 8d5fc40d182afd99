#!/bin/sh
# programs.sh DIRECTORY NN-name...: the programs for WebAssembly, on the exercises of MINE, and what
# else run.js loads, in DIRECTORY.
# Where that cannot be built, says SKIPPED: the pages have no programs then.
. tools/make/lib.sh
directory=$1
shift
said=$(tools/book/wasm/libraries.sh) && command -v node >/dev/null || {
    echo "SKIPPED: programs in the pages. ${said:-node is missing}"
    exit 0
}
expect_writable "$directory"

# small NAME PROGRAM: the program as build/wasm/small/NAME.small
small() {
    mkdir -p build/wasm/small && cp -p "$2" "build/wasm/small/$1.small" || exit 1
    packed="${packed:-} build/wasm/small/$1.small"
}
linked=$(tools/book/wasm/make.sh -s print-linked)
names=$*
for name in "$@"; do set -- "$@" "$linked/$name" && shift; done
tools/book/wasm/make.sh -s -j"$JOBS" "$@" || exit 1
for name in $names; do small "$name" "$linked/$name"; done

# The programs that lessons run with a known mistake: "make -s run-13 WRONG=01/layernorm/columns" is
# 13-kv-cache@01-layernorm-columns. The page "One token" draws one, too (token/first.js).
of_lessons='s|^<!-- output: .*make -s run-\([0-9]*\) WRONG=\([a-z0-9/-]*\) .*|\1:\2|p'
of_token=10:01/layernorm/columns
for command in $({ sed -n "$of_lessons" chapters/*/*.md; echo $of_token; } | sort -u); do
    wrong=${command#*:}
    name=$(cd chapters && echo "${command%%:*}"-*)
    of_wrong=$(tools/book/wasm/make.sh -s WRONG="$wrong" print-linked)
    tools/book/wasm/make.sh -s -j"$JOBS" WRONG="$wrong" "$of_wrong/$name" || exit 1
    small "$name@$(echo "$wrong" | tr / -)" "$of_wrong/$name"
done

said=$(tools/book/wasm/gnuplot.sh) || echo "SKIPPED: what runs in a page is not drawn there. $said"
tools/book/model.sh
node tools/book/wasm/pack.js "$directory" $packed
