#!/bin/sh
# make for WebAssembly: the same sources and rules, another compiler. tools/book/wasm/make.sh print-build says where things are.
# There are no threads, its objects are not what objcopy knows, and -O3 makes programs larger and no faster.
exec make CC=tools/book/wasm/cc ARCH=-msimd128 OPT=-O2 OPENMP= OBJCOPY= "$@"
