#!/bin/sh
# gnuplot.sh: gnuplot for WebAssembly, build/wasm/gnuplot.small, from the sources of Debian's
# package, unchanged: a page draws what a program has written by the recipe of the lesson's own
# figure. Says why and fails where it cannot.
. tools/make/lib.sh
W=build/wasm
here=tools/book/wasm/gnuplot
[ -f $W/gnuplot.small ] && [ -z "$(find $here "$0" -newer $W/gnuplot.small -type f)" ] && exit 0
tools/book/wasm/sources.sh gnuplot || exit 1

S=$W/gnuplot/src objects=$W/gnuplot-objects
mkdir -p $objects
# The result of its configure: a C library, no pipes, no windows, no prompt; its terminals are those
# of include/post.trm.
{
    for name in COMPLEX_H DECL_SIGNGAM DIRENT_H ERF ERFC ERRNO_H FLOAT_H FSEEKO INTTYPES_H ISNAN \
        LGAMMA LIMITS_H LOCALE_H MATH_H MEMCPY MEMMOVE MEMSET OFF_T SLEEP SNPRINTF STDBOOL_H \
        STDINT_H STDLIB_H STPCPY STRCASECMP STRCHR STRCSPN STRDUP STRERROR STRING_H STRLCPY \
        STRNCASECMP STRNDUP STRNLEN STRRCHR STRSTR SYS_STAT_H SYS_TIME_H SYS_TYPES_H TGAMMA \
        TIME_H TIME_T_IN_TIME_H UNISTD_H USLEEP VFPRINTF WCHAR_H _BOOL; do
        echo "#define HAVE_$name 1"
    done
    printf '#define %s 1\n' POSTSCRIPT_DRIVER SHORT_TERMLIST STDC_HEADERS USE_STATS
    printf '#define %s "%s"\n' GNUPLOT_JS_DIR / GNUPLOT_PS_DIR / PACKAGE gnuplot PROGRAM gnuplot \
        PACKAGE_VERSION 5.4 VERSION 5.4 VERSION_MAJOR 5.4
    echo '#define RETSIGTYPE void'
} >$objects/config.h
# All sources that its Makefile names, except those that need a prompt or a bitmap.
files=$(sed -n '/^gnuplot_SOURCES = /,/^$/p' $S/Makefile.am | grep -o '[a-z0-9_]*\.c\b' | sort -u)
echo "$files" | xargs -P "$JOBS" -I{} tools/book/wasm/cc -Oz -w -DHAVE_CONFIG_H -I$objects \
    -I$here/include -I$S -I$W/gnuplot/term \
    -c $S/{} -o $objects/{}.o >$W/log 2>&1 &&
    tools/book/wasm/cc -Oz -w $objects/*.o $here/shims.c -lm -o $W/gnuplot.small >>$W/log 2>&1 || {
    echo "gnuplot does not build for WebAssembly: $(grep -m1 error $W/log)"
    exit 1
}
