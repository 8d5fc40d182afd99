#!/bin/sh
# arm64.sh: the project on arm64, under qemu where this machine is none: the tests of common/ and of
# chapters 01, 11 and 13, and the bytes that check-bits.sh compares. arm64.sh probe: only whether it
# can be done here; says what is missing.
. tools/make/lib.sh
# gcc 12 for arm64 breaks off at -O3 on a loop of tests/13-kv-cache/attention_step.c (an internal
# error).
export WERROR=1
variables="CC=$ARM64_CC OPT=-O2 ARCH=-march=armv8-a"

# A program with what all are linked with.
probe() {
    program=$(mktemp)
    { printf '#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n' |
        $ARM64_CC -fopenmp -x c - -lcjson -lpcre2-8 -lxxhash -lutf8proc -o "$program" &&
        $(arm64_emulator) "$program"; } 2>&1 | head -n 1
    rm -f "$program"
}

missing=$(probe)
if [ -n "$missing" ]; then
    echo "  skipped: arm64: $missing ('make setup ARM64=1' installs what it takes, on Debian)"
    [ "${1:-}" != probe ]
    exit
fi
[ "${1:-}" != probe ] || exit 0
echo "== arm64: tests"
mkdir -p build
if ! make -s -j"$JOBS" $variables RUN="$(arm64_emulator)" test-lite 2>build/arm64.log \
    TESTS="$(ls tests/common/*.c tests/01-*/*.c tests/11-*/*.c tests/13-*/*.c |
        sed -n '/\.attack\.c$/d; s|^tests/||; s|\.c$||p' | tr '\n' ' ')"; then
    grep -v '^  compile' build/arm64.log | head -n 20
    exit 1
fi
echo "== arm64: same seed, same bytes"
tools/test/check-bits.sh emulated
