#!/bin/sh
# gnuplot.sh: gnuplot for WebAssembly, build/wasm/gnuplot.small, from the sources of Debian's
# package, unchanged: a page draws what a program has written by the recipe of the lesson's own
# figure. Says why and fails where it cannot.
. tools/make/lib.sh
W=build/wasm
here=tools/book/wasm/gnuplot
[ -f $W/gnuplot.small ] && [ -z "$(find $here -newer $W/gnuplot.small -type f)" ] && exit 0
tools/book/wasm/sources.sh gnuplot || exit 1

S=$W/gnuplot/src objects=$W/gnuplot-objects
mkdir -p $objects
# All sources that its Makefile names, except those that need a prompt or a bitmap.
files=$(sed -n '/^gnuplot_SOURCES = /,/^$/p' $S/Makefile.am | grep -o '[a-z0-9_]*\.c\b' | sort -u)
echo "$files" | xargs -P "$JOBS" -I{} tools/book/wasm/cc -Oz -w -DHAVE_CONFIG_H -I$here/include \
    -I$S -I$W/gnuplot/term \
    -c $S/{} -o $objects/{}.o >$W/log 2>&1 &&
    tools/book/wasm/cc -Oz -w $objects/*.o $here/shims.c -lm -o $W/gnuplot.wasm >>$W/log 2>&1 || {
    echo "gnuplot does not build for WebAssembly: $(grep -m1 error $W/log)"
    exit 1
}
wasm-opt --enable-simd -Oz $W/gnuplot.wasm -o $W/gnuplot.small 2>/dev/null ||
    cp $W/gnuplot.wasm $W/gnuplot.small
