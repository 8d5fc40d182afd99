#!/bin/sh
# libraries.sh: the libraries that the programs are linked with, for WebAssembly, in build/wasm:
# cJSON, PCRE2, xxHash and utf8proc from the sources of Debian's packages, so that what runs in a
# page is what runs in a terminal, and the shims. Says what is missing and fails where it cannot.
. tools/make/lib.sh
W=build/wasm
newer() {
    find tools/book/wasm common/kernels/fused.h common/kernels/simd.h -maxdepth 1 -newer \
        $W/libshims.a \( -name '*.[ch]' -o -name cc -o -name libraries.sh \)
}
[ -f $W/libshims.a ] && [ -z "$(newer)" ] && exit 0

mkdir -p $W
for tool in clang wasm-ld llvm-ar; do
    command -v $tool >/dev/null || {
        echo "WebAssembly: $tool is missing; 'make setup BOOK=1' installs it"
        exit 1
    }
done
echo 'int main(void) { return 0; }' |
    clang --target=wasm32-wasi -x c - -o /dev/null 2>/dev/null || {
    echo "WebAssembly: clang builds no program for it; 'make setup BOOK=1' installs wasi-libc" \
        "and clang's runtime"
    exit 1
}

tools/book/wasm/sources.sh cjson pcre2 utf8proc >$W/missing || {
    echo "WebAssembly: $(cat $W/missing)"
    exit 1
}

# library NAME FLAGS FILE...: libNAME.a
library() {
    name=$1 flags=$2 objects=
    shift 2
    for file in "$@"; do
        object=$W/$name-$(basename "$file").o
        tools/book/wasm/cc -Oz -w $flags -c "$file" -o "$object" || exit 1
        objects="$objects $object"
    done
    rm -f "$W/lib$name.a" && llvm-ar rcs "$W/lib$name.a" $objects
}
library cjson '' $W/cjson/cJSON.c
P=$W/pcre2/src
cp $P/config.h.generic $P/config.h && cp $P/pcre2.h.generic $P/pcre2.h &&
    cp $P/pcre2_chartables.c.dist $P/pcre2_chartables.c
pcre2=
for part in auto_possess chartables compile config context error extuni find_bracket jit_compile \
    match match_data newline \
    ord2utf script_run string_utils study tables ucd valid_utf xclass; do
    pcre2="$pcre2 $P/pcre2_$part.c"
done
flags="-DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DPCRE2_STATIC -DSUPPORT_PCRE2_8"
library pcre2-8 "$flags -DSUPPORT_UNICODE -I$P" $pcre2
printf '#define XXH_IMPLEMENTATION\n#define XXH_STATIC_LINKING_ONLY\n#include <xxhash.h>\n' \
    >$W/xxhash.c
library xxhash '' $W/xxhash.c
library utf8proc '' $W/utf8proc/utf8proc.c
# Programs linked with older libraries are linked again.
find "$(tools/book/wasm/make.sh -s print-build)" -maxdepth 2 -type f -name '[0-9][0-9]-*' -delete \
    2>/dev/null
library shims '-msimd128 -ffp-contract=off -iquote common' tools/book/wasm/shims.c
