#!/bin/sh
# aliases.sh [FILE...]: no call of an exercise's function in these files, or in all given code and
# solutions, has one expression for two pointers, unless the function's header says so: "out may be
# x". A learner's function may clear one of its arrays before it reads another.
[ $# -gt 0 ] ||
    set -- common/*/*.c chapters/*/*.c chapters/*/*/*.c solutions/*/*.c solutions/*/*/*.c
exec awk -f tools/make/prototypes.awk -f tools/test/aliases.awk \
    reads=1 solutions/*/*.c reads=2 chapters/*/*.h reads=3 "$@"
