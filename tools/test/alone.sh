#!/bin/sh
# alone.sh CHAPTER: its files, exercises and solutions include only headers of common/, of the
# chapter and of earlier chapters.
chapter=$1 number=${1%%-*} status=0
for file in chapters/$chapter/*.[ch] chapters/$chapter/*/*.[ch] exercises/$chapter/*.c \
    exercises/$chapter/*/*.c solutions/$chapter/*.c solutions/$chapter/*/*.c; do
    [ -f "$file" ] || continue
    for included in $(sed -n 's|^#include "\([0-9][0-9]\)-.*/.*|\1|p' "$file"); do
        if [ "$included" -gt "$number" ]; then
            echo "$file includes a header of chapter $included, which comes later" >&2
            status=1
        fi
    done
done
for file in common/*/*.[ch]; do
    if grep -q '^#include "[0-9][0-9]-' "$file"; then
        echo "$file includes a chapter's header; common/ must stand alone" >&2
        status=1
    fi
done
exit $status
