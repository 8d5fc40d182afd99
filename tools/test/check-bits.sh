#!/bin/sh
# check-bits.sh: the same seed gives the same bytes. Builds the training and the text-writing
# program with each compiler, optimization level and vector width that this machine can run, and
# tuned for other processors than this one (a compiler chooses other instructions for them), trains
# 50 steps of a small GPT-2 with dropout on 1, 2 or 3 threads, writes a text, and compares losses,
# weights, moments, text and chapter 01's demonstration byte by byte; so for WebAssembly, where its
# multiply-adds are also compared with this processor's, 10^8 of them. check-bits.sh emulated: the
# builds whose fused multiply-adds are made by software, arm64 under qemu and x86-64 without FMA,
# with a smaller model: it takes a hundred times as long.
. tools/make/lib.sh
case ${1:-} in
emulated) model="--width 32 --context 24 --batch 4" ;;
*) model="--width 64 --context 48 --batch 8" ;;
esac
W=build/check-bits
rm -rf "$W" && mkdir -p "$W"

runs() { grep -q -w "$1" /proc/cpuinfo 2>/dev/null; }
# THREADS COMPILER OPTIMIZATION ARCHITECTURE: the last may be several words.
variants() {
    if [ "${1:-}" = emulated ]; then
        echo "2 gcc -O3 -march=native"
        if runs sse2; then echo "2 gcc -O3 -march=x86-64"; fi
        echo "2 $ARM64_CC -O2 -march=armv8-a"
        return
    fi
    for threads in 1 2 3; do echo "$threads gcc -O3 -march=native"; done
    [ -n "$lacks_wasm" ] || echo "1 $WASM_CC -Oz wasm32"
    echo "2 gcc -O2 -march=native"
    if runs avx2 && runs fma; then
        echo "2 gcc -O3 -march=haswell"
        echo "2 gcc -O3 -march=haswell -mtune=znver3"
        echo "2 gcc -O3 -march=native -mtune=generic"
        echo "1 gcc -O3 -march=native -mtune=skylake"
    fi
    command -v clang >/dev/null 2>&1 || return
    echo "2 clang -O3 -march=native"
    if runs avx2 && runs fma; then echo "3 clang -O2 -march=haswell -mtune=znver3"; fi
}

make_variant() {
    if [ "$compiler" = "$WASM_CC" ]; then
        tools/book/wasm/make.sh -s "$@"
    else
        make -s CC="$compiler" OPT="$optimization" ARCH="$architecture" "$@"
    fi
}

run_variant() { # THREADS COMPILER OPTIMIZATION ARCHITECTURE...
    out=$W/$(echo "$*" | tr ' =/' '___') threads=$1 compiler=$2 optimization=$3
    shift 3
    architecture=$*
    case $compiler in
    "$ARM64_CC") run=$(arm64_emulator) ;;
    "$WASM_CC") run="node tools/book/wasm/run.js" ;;
    *) run= ;;
    esac
    B=$(make_variant print-build)
    # Only the code is compared, so that debugging information need not be built.
    demo=$B/reference/01-layernorm-vs-batchnorm training=$B/reference/11-training \
        writing=$B/reference/13-kv-cache
    make_variant -j"$JOBS" "$demo" "$training" "$writing" >"$W/log" 2>&1 ||
        { tail -n 5 "$W/log"; return 1; }
    mkdir -p "$out"
    $run "$training" --steps 50 --layers 2 $model --dropout 0.1 --accumulate 2 \
        --vocab-size 400 --validate-every 25 --threads "$threads" --save "$out" --log losses \
        --out "$out" >"$out/stdout" &&
        $run "$training" --steps 8 --layers 1 $model --precision float16 --threads "$threads" \
            --log half --out "$out" >"$out/half" &&
        $run "$writing" --model "$out" --max-new-tokens 48 --num-return-sequences 3 \
            --threads "$threads" >"$out/text" 2>/dev/null &&
        $run "$demo" --threads "$threads" >"$out/demo"
}

# Multiply-adds for WebAssembly, of random numbers and of those whose sums lie near the middle of
# two floats.
compare_fused() {
    tools/book/wasm/cc -O2 -msimd128 -ffp-contract=off -iquote common -c tools/book/wasm/fused.c \
        -o "$W/fused.o" &&
        tools/book/wasm/cc "$W/fused.o" -o "$W/fused.wasm" &&
        node tools/book/wasm/run.js "$W/fused.wasm" >"$W/fused.wasm.text" &&
        gcc -O2 -march=native -ffp-contract=off -iquote common tools/book/wasm/fused.c \
            -o "$W/fused" -lm &&
        "$W/fused" >"$W/fused.text" &&
        diff "$W/fused.text" "$W/fused.wasm.text"
}

WASM_CC=tools/book/wasm/cc
command -v node >/dev/null && lacks_wasm=$(tools/book/wasm/libraries.sh) ||
    lacks_wasm=${lacks_wasm:-"WebAssembly: node is missing"}
variants "$@" >"$W/variants"
first= status=0 n=0
while read -r variant; do
    if ! run_variant $variant; then
        echo "check-bits: ${variant#* } does not run"
        status=1
        continue
    fi
    n=$((n + 1))
    if [ -z "$first" ]; then
        first=$out
    elif ! diff -rq "$first" "$out"; then
        echo "check-bits: ${variant#* } with ${variant%% *} threads gives other bytes"
        status=1
    fi
done <"$W/variants"
[ $status = 0 ] && [ $n -gt 1 ] &&
    echo "$n builds and thread counts give the same bytes:" \
        "$(sed 's/^\([0-9]\) \(.*\)/\2 \/ \1 threads/' "$W/variants" | tr '\n' ';')"
if [ -n "$lacks_wasm" ]; then
    [ "${1:-}" = emulated ] || echo "SKIPPED: $lacks_wasm"
elif [ "${1:-}" != emulated ] && ! compare_fused; then
    echo "check-bits: a multiply-add for WebAssembly is not rounded once"
    status=1
fi
exit $status
