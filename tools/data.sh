#!/bin/sh
# data.sh [MODEL]: fetches tiny Shakespeare to data/tinyshakespeare.txt, and with MODEL (gpt2, gpt2-medium, gpt2-large, gpt2-xl)
# the published weights and vocabulary to data/MODEL. The only thing in the project that reads the network.
#
# A download goes to FILE.part and goes on there when it is started again; it becomes FILE only after its checksum is right.
# TEXT_URL, HUB_URL: other places for the same files; TEXT_SUM: the SHA-256 of another text. DATA: another directory. CHECK: a command that is given the model's
# directory and counts its parameters.
set -u
DATA=${DATA:-data}
TEXT_URL=${TEXT_URL:-https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare}
TEXT_SUM=${TEXT_SUM:-86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed}
HUB_URL=${HUB_URL:-https://huggingface.co/openai-community}
MODEL=${1:-}

fail() { echo "data: $*" >&2; exit 1; }

case $MODEL in
'' | gpt2 | gpt2-medium | gpt2-large | gpt2-xl) ;;
*) echo "data: MODEL=$MODEL: expected gpt2, gpt2-medium, gpt2-large or gpt2-xl" >&2; exit 2 ;;
esac
if command -v curl >/dev/null 2>&1; then
    client=curl
elif command -v wget >/dev/null 2>&1; then
    client=wget
else
    fail "neither curl nor wget is installed: one of them is needed to fetch files"
fi

sha() { # sha BITS: of standard input
    { sha"$1"sum 2>/dev/null || shasum -a "$1" 2>/dev/null || openssl dgst -r -sha"$1"; } | cut -d ' ' -f 1
}
bytes_of() { wc -c <"$1" | tr -d ' '; }

# What the server says of a file before it sends it. The hub names a checksum: of a large file its SHA-256 (X-Linked-Etag),
# of a small one the SHA-1 that git would give it (ETag).
stated_checksum() {
    if [ $client = curl ]; then curl -sI --max-time 60 "$1"; else wget -S --spider --max-redirect=0 -T 60 "$1" 2>&1; fi |
        tr -d '\r"' | sed -e 's/^ *//' -e 's|: W/|: |' |
        awk 'tolower($1) == "x-linked-etag:" { linked = $2 } tolower($1) == "etag:" { tag = $2 }
             END { sum = linked != "" ? linked : tag; if (sum ~ /^[0-9a-f]+$/ && (length(sum) == 64 || length(sum) == 40)) print sum }'
}

# checksum_is FILE SUM: 64 digits are SHA-256, 40 are git's SHA-1.
checksum_is() {
    if [ ${#2} = 64 ]; then
        got=$(sha 256 <"$1")
    else
        got=$({ printf 'blob %s\0' "$(bytes_of "$1")"; cat "$1"; } | sha 1)
    fi
    [ "$got" = "$2" ]
}

# One attempt to fetch $url to $part, from where $part ends. Where it fails, `result` says why and `reason` says it in words.
download() {
    log=$part.log reason="see above"
    if [ $client = curl ]; then
        set -- -fL --connect-timeout 30 --speed-limit 1 --speed-time 60 -C - -w '%{http_code}' -o "$part" "$url"
        if [ -t 2 ]; then
            code=$(curl --progress-bar "$@")
            status=$?
        else
            code=$(curl -sS "$@" 2>"$log")
            status=$? reason=$(head -n 1 "$log")
        fi
        case $status/$code in
        0/*) result=complete ;;
        6/* | 7/* | 35/*) result=unreachable ;;
        22/416) result=too-long ;;
        22/*) result=refused reason="HTTP status $code" ;;
        33/*) result=no-ranges ;;
        23/*) result=disk ;;
        *) result=interrupted ;;
        esac
    else
        wget -nv -c -T 60 --tries=1 -O "$part" "$url" 2>"$log"
        status=$? reason=$(tail -n 1 "$log")
        case $status in
        0) result=complete ;;
        4) if [ -s "$part" ]; then result=interrupted; else result=unreachable; fi ;;
        8) result=refused ;;
        3) result=disk ;;
        *) result=no-ranges ;;
        esac
    fi
    rm -f "$log"
}

# fetch URL FILE SUM: SUM is the SHA-256 of the original where it is known, or "-": then what the server states.
fetch() {
    url=$1 file=$2 sum=$3 part=$2.part
    if [ -f "$file" ]; then
        if [ "$sum" = - ] || checksum_is "$file" "$sum"; then
            echo "$file: is there"
            return
        fi
        fail "$file is there, but is not the original: its SHA-256 is $got, expected $sum; remove it to fetch it"
    fi
    mkdir -p "$(dirname "$file")" || exit 1
    whose=original
    if [ "$sum" = - ]; then
        sum=$(stated_checksum "$url")
        whose="one that the server states"
    fi
    result= attempts=0
    [ -n "$sum" ] && [ -f "$part" ] && checksum_is "$part" "$sum" && result=complete
    while [ "$result" != complete ]; do
        [ -s "$part" ] && echo "$file: going on after $(bytes_of "$part") bytes"
        download
        attempts=$((attempts + 1))
        case $result in
        complete) ;;
        unreachable)
            fail "cannot reach $(echo "$url" | cut -d / -f 3): is there a network? All but real text and weights works without: training on the built-in corpus, random models, all tests"
            ;;
        refused) fail "$url: $reason" ;;
        disk) fail "$part: cannot be written: $reason" ;;
        interrupted)
            [ $attempts -ge 5 ] && fail "$file: interrupted at $(bytes_of "$part") bytes ($reason); make data goes on from there"
            ;;
        too-long | no-ranges) # more than there is, or a server that only gives whole files
            rm -f "$part"
            [ $attempts -ge 5 ] && fail "$url: $reason"
            ;;
        esac
    done
    if [ -n "$sum" ] && ! checksum_is "$part" "$sum"; then
        rm -f "$part"
        fail "$url: its checksum is $got, the $whose is $sum; what came was removed"
    fi
    mv "$part" "$file" || exit 1
    if [ -n "$sum" ]; then
        echo "$file: fetched, $(bytes_of "$file") bytes, checksum of the $whose"
    else
        echo "$file: fetched, $(bytes_of "$file") bytes; no checksum is known"
    fi
}

fetch "$TEXT_URL/input.txt" "$DATA/tinyshakespeare.txt" "$TEXT_SUM"
[ -n "$MODEL" ] || exit 0

# The sums of GPT-2 small are those that many projects have pinned for revision 607a30d of its repository; vocab.json and
# merges.txt are the files that OpenAI published. For the larger ones the hub's own statement is taken.
config=- vocab=- merges=- weights=-
if [ "$MODEL" = gpt2 ]; then
    config=0daed7749b4f02b8f76240d5444551d7b08712dab4d0adb8239c56ba823bb7b4
    vocab=196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783
    merges=1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5
    weights=248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707
fi
for name in config.json:$config vocab.json:$vocab merges.txt:$merges model.safetensors:$weights; do
    fetch "$HUB_URL/$MODEL/resolve/main/${name%%:*}" "$DATA/$MODEL/${name%%:*}" "${name#*:}" || exit 1
done
[ -n "${CHECK:-}" ] || exit 0

# Whole as files; now as a model: the program reads all names, shapes and sizes, and counts.
case $MODEL in
gpt2) parameters=124439808 ;;
gpt2-medium) parameters=354823168 ;;
gpt2-large) parameters=774030080 ;;
gpt2-xl) parameters=1557611200 ;;
esac
described=$($CHECK "$DATA/$MODEL") || exit 1
echo "$described"
echo "$described" | grep -q "^ *all *$parameters " || fail "$DATA/$MODEL: $MODEL has $parameters parameters, this model has not"
