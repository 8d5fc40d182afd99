#!/bin/sh
# format.sh [check]: lays out all C files by .clang-format, or says which of them differ, and which
# lines are too long (comments stay as they were written); exercises/ is not checked, where a
# learner may write in a style of their own. Versions of clang-format differ in details: one that is
# not the project's only warns.
set -u
project=14 mode=${1:-write} status=0
files_of() { git ls-files -co --exclude-standard "$@"; }
if [ "$mode" = check ]; then
    columns=$(sed -n 's/^ColumnLimit: //p' .clang-format)
    long=$(files_of '*.c' '*.h' ':!exercises' |
        xargs awk -v most="$columns" 'length($0) > most { print FILENAME ":" FNR }' 2>/dev/null)
    for line in $long; do echo "  $line is longer than $columns columns"; done
    [ -z "$long" ] || status=1
fi
if ! command -v clang-format >/dev/null 2>&1; then
    if [ "$mode" = check ]; then
        echo "  skipped: clang-format is missing ('make setup FORMAT=1' installs it)"
        [ "${CI:-}" != true ] && exit $status || exit 1
    fi
    echo "make: clang-format is missing; 'make setup FORMAT=1' installs it" \
        "(the project's is version $project)" >&2
    exit 1
fi
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
[ "$version" = $project ] ||
    echo "  clang-format $version: details may differ from the project's version, $project"

differ() { # differ FILES-OF-GIT...
    files_of "$@" | xargs clang-format --dry-run 2>&1 |
        sed -n 's/^\([^:]*\):.*-Wclang-format-violations.*/\1/p' | sort -u
}
if [ "$mode" = write ]; then
    files=$(differ '*.c' '*.h')
    [ -z "$files" ] || clang-format -i $files
    echo "laid out by .clang-format: $(echo "$files" | grep -c .) files"
else
    files=$(differ '*.c' '*.h' ':!exercises')
    for file in $files; do echo "  $file is not laid out by .clang-format: make format"; done
    [ -z "$files" ] || [ "$version" != $project ] || status=1
fi
exit $status
