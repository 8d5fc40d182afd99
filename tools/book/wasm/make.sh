#!/bin/sh
# make for WebAssembly: the same sources and rules, another compiler. tools/book/wasm/make.sh
# print-build says where things are. There are no threads, its objects are not what objcopy knows,
# and -Oz makes it small: the products, which take the time, are compiled with -O3 all the same.
# Its own -j takes the place of the calling make's, which passes none on to a script.
MAKEFLAGS=$(printf '%s' "${MAKEFLAGS:-}" | sed 's/ *-j[0-9]*//g; s/ *--jobserver-[a-z]*=[^ ]*//g')
export MAKEFLAGS
exec make PANEL_FLAGS= CC=tools/book/wasm/cc ARCH=-msimd128 OPT=-Oz OPENMP= OBJCOPY= "$@"
