#!/bin/sh
# announce-build.sh FILES SANITIZE: tells that so many files are built with a sanitizer, and how
# long it takes: about a second a file and processor.
. tools/make/lib.sh
case $2 in
thread)
    why="the exercise has threads; now once more, with a sanitizer that looks for two that write"
    why="$why to the same place"
    ;;
*) why="now once more, with sanitizers that look for memory errors" ;;
esac
said="make: $why. To build them takes about $(($1 / JOBS)) s, once"
if has_terminal 1; then
    printf '\r\033[K'
    echo "$said" | fold -s -w 79
else
    echo "$said"
fi
