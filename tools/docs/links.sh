#!/bin/sh
# links.sh: asks every address that a lesson names whether it is still there, and lists those that
# do not answer. The one script that is of no use without the network; nothing else runs it.
export LC_ALL=C
command -v curl >/dev/null 2>&1 || { echo "links.sh: curl is missing" >&2; exit 1; }
lessons=$(echo README.md TEACHING.md EXAM.md chapters/*/*.md) gone=0
for address in $(grep -ohE 'https?://[^][ )>"`]+' $lessons | sed 's/[.,;]*$//' | sort -u); do
    status=$(curl -s -o /dev/null -L -m 20 -w '%{http_code}' -A 'Mozilla/5.0' "$address")
    case $status in
    2??) ;;
    *)
        echo "$status $address in $(grep -lF "$address" $lessons | tr '\n' ' ')"
        gone=$((gone + 1))
        ;;
    esac
done
echo "$gone addresses do not answer"
[ "$gone" = 0 ]
