#!/bin/sh
# attacks.sh DIRECTORY NN-name/exercise...: what a page needs for an attack on each of them,
# DIRECTORY/exercises/NN-name/X.attack.o.gz: all right and known wrong solutions as one object, with
# what runs tests, and DIRECTORY/exercises/NN-name/X.variants, a line each, in the order of their
# numbers: "right reference". Called by build.sh, with WASM, where the objects are.
. tools/make/lib.sh

# As clang in the page compiles a learner's file (compiler.js): reads, writes and basic blocks are
# looked at.
WATCHED="-Xclang -fsanitize=address -mllvm -asan-instrumentation-with-call-threshold=0
    -mllvm -asan-stack=0 -mllvm -asan-globals=0
    -Xclang -fsanitize-coverage-type=2 -Xclang -fsanitize-coverage-trace-pc
    -mllvm -sanitizer-coverage-prune-blocks=0"
FLAGS="-std=gnu11 -O1 -w -msimd128 -ffp-contract=off -fno-math-errno -fvisibility=hidden $WATCHED"

functions_of() { llvm-nm -g --defined-only "$WASM/solutions/$1.o" | awk '$2 == "T" { print $3 }'; }

variant() { # variant KIND NAME SOURCE
    number=$(grep -c . <"$work/variants")
    echo "$1 $2" >>"$work/variants"
    tools/book/wasm/cc $FLAGS $INCLUDES $NO_EXIT $(functions_of "$e" |
        sed "s/.*/-D&=&__$number/") -c "$3" -o "$work/$number.o"
}

# The functions by their own names, in WebAssembly's text: each compares the number of the variant,
# and calls that one's.
trampolines() {
    tools/book/wasm/cc -O0 -w $INCLUDES -S "solutions/$e.c" -o - |
        sed -n 's/^[[:space:]]*\.functype[[:space:]]*//p' >"$work/types"
    functions_of "$e" | awk -v variants="$(grep -c . <"$work/variants")" '
        NR == FNR {
            name = $0
            sub(/ .*/, "", name)
            type[name] = substr($0, length(name) + 2)
            next
        }
        {
            arguments = type[$0]; sub(/^\(/, "", arguments); sub(/\).*/, "", arguments)
            n = arguments == "" ? 0 : split(arguments, each, ",")
            for (k = 0; k < variants; k++) print ".functype " $0 "__" k " " type[$0]
            print ".globl " $0 "\n.type " $0 ",@function\n" $0 ":\n.functype " $0 " " type[$0]
            for (k = 0; k < variants; k++) {
                print "i32.const 0\ni32.load attack_variant\ni32.const " k "\ni32.eq\nif"
                for (i = 0; i < n; i++) print "local.get " i
                print "call " $0 "__" k "\nreturn\nend_if"
            }
            print "unreachable\nend_function"
        }' "$work/types" - >"$work/trampolines.s"
    tools/book/wasm/cc -c "$work/trampolines.s" -o "$work/trampolines.o"
}

build() { # build NN-name/EXERCISE
    e=$1
    rm -rf "$work" && mkdir -p "$work" && : >"$work/variants"
    for name in $(cd "tests/$e.right" && { ls ./*.c; echo ./reference.c; } |
        sed 's|./\(.*\)\.c|\1|' | sort); do
        variant right "$name" "$([ "$name" = reference ] && echo "solutions/$e.c" ||
            echo "tests/$e.right/$name.c")" || return
    done
    grep -v -e '^#' -e '^$' "tests/$e.mutants" >"$work/lines"
    while IFS= read -r line; do
        sed "$(mutant_edit "$line")" "solutions/$e.c" >"$work/wrong.c"
        variant wrong "${line%% | *}" "$work/wrong.c" || return
    done <"$work/lines"
    trampolines && wasm-ld -r -S "$work"/*.o -o "$work/all" && rm "$work"/*.o
}

# The solutions are compiled again where anything that they are made of is newer.
one() { # one DIRECTORY NN-name/EXERCISE
    work=$WASM/attacks/$2
    if [ ! -f "$work/all" ] || [ -n "$(find tools/book/write/attacks.sh "solutions/$2.c" \
        "tests/$2.mutants" "tests/$2.right" \
        common chapters -newer "$work/all" ! -type d \( -name '*.h' -o ! -path 'c*' \) |
        head -n 1)" ]; then
        build "$2" || {
            echo "make: the variants of $2 cannot be built for WebAssembly" >&2
            return 1
        }
    fi
    wasm-ld -r "$work/all" "$WASM"/tests/harness/page_*.o "$WASM/tests/harness/variant_in_page.o" \
        -o "$work/attack" &&
        gzip -9n <"$work/attack" >"$1/exercises/$2.attack.o.gz" && rm "$work/attack" &&
            cp "$work/variants" "$1/exercises/$2.variants"
}

case $1 in
--one) one "$2" "$3" || exit 255 ;;
*)
    directory=$1
    shift
    printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 tools/book/write/attacks.sh --one "$directory"
    ;;
esac
