#!/bin/sh
# data.sh [MODEL]: fetches tiny Shakespeare to data/tinyshakespeare.txt, and with MODEL (gpt2,
# gpt2-medium, gpt2-large, gpt2-xl, smollm2-135m, qwen2.5-0.5b) the published weights and vocabulary
# to data/MODEL. The only thing in the project that reads the network.
#
# A download goes to FILE.part and goes on there when it is started again; it becomes FILE only
# after its SHA-256 is right. The sums are in tools/learner/data.sums; SUMS names another file of
# that kind, for other versions of the files: what has no sum is not accepted. TEXT_URL, HUB_URL:
# other places. DATA: another directory. CHECK: a command that is given the model's directory and
# counts its parameters.
set -u
DATA=${DATA:-data}
SUMS=${SUMS:-tools/learner/data.sums}
its_place=https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare
TEXT_URL=${TEXT_URL:-$its_place}
HUB_URL=${HUB_URL:-https://huggingface.co}
MODEL=${1:-}

# fail WORDS: in a terminal in lines of 80 columns.
fail() {
    printf 'data: %s\n' "$*" | if [ -t 2 ]; then fold -s -w 79; else cat; fi >&2
    exit 1
}

place=openai-community/$MODEL files='config.json vocab.json merges.txt model.safetensors'
case $MODEL in
'') ;;
gpt2) revision=607a30d783dfa663caf39e06633721c8d4cfcd7e parameters=124439808 ;;
gpt2-medium) revision=6dcaa7a952f72f9298047fd5137cd6e4f05f41da parameters=354823168 ;;
gpt2-large) revision=32b71b12589c2f8d625668d2335a01cac3249519 parameters=774030080 ;;
gpt2-xl) revision=15ea56dee5df4983c59b2538573817e1667135e2 parameters=1557611200 ;;
smollm2-135m)
    place=HuggingFaceTB/SmolLM2-135M files='config.json tokenizer.json model.safetensors'
    revision=93efa2f097d58c2a74874c7e644dbc9b0cee75a2 parameters=134515008
    ;;
qwen2.5-0.5b)
    place=Qwen/Qwen2.5-0.5B files='config.json tokenizer.json model.safetensors'
    revision=060db6499f32faf8b98477b0a26969ef7d8b9987 parameters=494032768
    ;;
*)
    printf 'data: MODEL=%s: expected gpt2, gpt2-medium, gpt2-large,\n%s\n' "$MODEL" \
        '    gpt2-xl, smollm2-135m or qwen2.5-0.5b' >&2
    exit 2
    ;;
esac
if command -v curl >/dev/null 2>&1; then
    client=curl
elif command -v wget >/dev/null 2>&1; then
    client=wget
else
    fail "neither curl nor wget is installed: one of them is needed to fetch files"
fi
[ -r "$SUMS" ] || fail "SUMS=$SUMS: cannot be read"

log=
trap '[ -z "$log" ] || rm -f "$log"' EXIT
trap 'exit 130' HUP INT TERM

sha256() {
    { sha256sum 2>/dev/null || shasum -a 256 2>/dev/null || openssl dgst -r -sha256; } |
        cut -d ' ' -f 1
}
bytes_of() { wc -c <"$1" | tr -d ' '; }

# checksum_is_right FILE: compares with $sum; what it is goes to $got.
checksum_is_right() {
    got=$(sha256 <"$1")
    [ "$got" = "$sum" ]
}

# One attempt to fetch $url to $part, from where $part ends. Where it fails, `result` says why and
# `reason` says it in words.
download() {
    log=$part.log reason="see above"
    if [ $client = curl ]; then
        # Redirections must be https, too; wget has no such option, so there only the checksum
        # decides.
        set -- -fL --proto-redir =https --connect-timeout 30 --speed-limit 1 --speed-time 60 \
            -C - -w '%{http_code}' -o "$part" "$url"
        if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
            code=$(curl --progress-bar "$@")
            status=$?
        else
            code=$(curl -sS "$@" 2>"$log")
            status=$? reason=$(head -n 1 "$log")
        fi
        case $status/$code in
        0/*) result=complete ;;
        1/*) result=refused ;;
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

# fetch URL NAME: to $DATA/NAME.
fetch() {
    url=$1 file=$DATA/$2 part=$DATA/$2.part
    sum=$(awk -v name="$2" '$2 == name { print $1; exit }' <"$SUMS")
    [ -n "$sum" ] ||
        fail "$2: $SUMS has no checksum of it, so it is not fetched; SUMS=FILE names a file with" \
            "one that you trust, in a line 'SHA-256  $2'"
    if [ -f "$file" ]; then
        checksum_is_right "$file" ||
            fail "$file is there, but is not the original: its SHA-256 is $got, expected $sum;" \
                "remove it to fetch it"
        printf '%s: is there, and is the original\n' "$file"
        return
    fi
    mkdir -p "$(dirname "$file")" || exit 1
    result='' attempts=0
    [ -f "$part" ] && checksum_is_right "$part" && result=complete
    while [ "$result" != complete ]; do
        [ -s "$part" ] && printf '%s: going on after %s bytes\n' "$file" "$(bytes_of "$part")"
        download
        attempts=$((attempts + 1))
        case $result in
        complete) ;;
        unreachable)
            fail "cannot reach $(printf '%s\n' "$url" | cut -d / -f 3): is there a network? All" \
                "but real text and weights works without: training on the built-in corpus," \
                "random models, all tests"
            ;;
        refused) fail "$url: $reason" ;;
        disk) fail "$part: cannot be written: $reason" ;;
        interrupted)
            [ $attempts -ge 5 ] &&
                fail "$file: interrupted at $(bytes_of "$part") bytes ($reason); make data goes" \
                    "on from there"
            ;;
        too-long | no-ranges) # more than there is, or a server that only gives whole files
            rm -f "$part"
            [ $attempts -ge 5 ] && fail "$url: $reason"
            ;;
        esac
    done
    if ! checksum_is_right "$part"; then
        rm -f "$part"
        fail "$url: its SHA-256 is $got, the original's is $sum; what came was removed"
    fi
    mv "$part" "$file" || exit 1
    printf '%s: fetched, %s bytes, the original\n' "$file" "$(bytes_of "$file")"
}

fetch "$TEXT_URL/input.txt" tinyshakespeare.txt
[ -n "$MODEL" ] || exit 0
for name in $files; do
    fetch "$HUB_URL/$place/resolve/$revision/$name" "$MODEL/$name"
done
[ -n "${CHECK:-}" ] || exit 0

# Whole as files; now as a model: the program reads all names, shapes and sizes, and counts.
described=$($CHECK "$DATA/$MODEL") || exit 1
printf '%s\n' "$described"
printf '%s\n' "$described" | grep -q "^ *all *$parameters " ||
    fail "$DATA/$MODEL: $MODEL has $parameters parameters, this model has not"
