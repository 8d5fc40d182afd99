# test-data.sh: the part of test.sh for make data (tools/learner/data.sh), with files of this
# machine in the place of the network, which curl reads by the same options.
sha256_of() { { sha256sum 2>/dev/null || shasum -a 256; } <"$1" | cut -d ' ' -f 1; }

fetches() {
    command -v curl >/dev/null 2>&1 || { echo "  skipped: make data: there is no curl"; return; }
    data=$W/data site=$W/site there=
    rm -rf "$data"
    mkdir -p "$data" "$site"
    seq 60000 >"$site/input.txt"
    sum=$(sha256_of "$site/input.txt")
    one_file
    other_files_do_not_pass
    a_model
    [ -z "${TINYSHAKESPEARE:-}" ] ||
        if grep -q "^$(sha256_of "$TINYSHAKESPEARE")  tiny" tools/learner/data.sums; then good; else
            bad "the checksum of $TINYSHAKESPEARE is not the one that is known"
        fi
}

# own_sums NAME: the known sum for files of that name, that of the site's file for all others.
own_sums() {
    awk -v name="$1" -v sum="$sum" '/^#/ { next } { print ($2 == name ? $1 : sum) "  " $2 }' \
        tools/learner/data.sums >"$W/sums"
}

# fetched CODE MESSAGE [MODEL]: make data ends so and says so.
fetched() {
    said=$(TEXT_URL=${there:-file://$PWD/$site} HUB_URL=${there:-file://$PWD/$site} \
        SUMS=$W/sums DATA=$data \
        tools/learner/data.sh ${3:-} 2>&1)
    if [ $? = "$1" ] && [ "${said#*"$2"}" != "$said" ]; then good; else
        bad "make data ${3:-} does not say '$2': $said"
    fi
}
is_whole() {
    if cmp -s "$site/input.txt" "$1" && [ ! -e "$1.part" ]; then good; else
        bad "make data: $1 has other bytes"
    fi
}
is_not_there() { if [ -e "$1" ]; then bad "make data keeps $1"; else good; fi; }

# Whole; from a part on; from one that is whole already, or damaged; over a text of one's own; with
# no network, and no sum.
one_file() {
    text=$data/tinyshakespeare.txt
    own_sums none
    fetched 0 "fetched"
    is_whole "$text"
    fetched 0 "is there, and is the original"
    rm "$text" && head -c 100000 "$site/input.txt" >"$text.part"
    fetched 0 "going on after 100000 bytes"
    is_whole "$text"
    there=http://127.0.0.1:9
    mv "$text" "$text.part"
    fetched 0 "fetched"
    rm "$text"
    fetched 1 "data: cannot reach 127.0.0.1:9: is there a network?"
    there=
    echo "something else" >"$text.part"
    fetched 1 "what came was removed"
    is_not_there "$text.part"
    own_sums tinyshakespeare.txt
    fetched 1 "the original's is 86c4e6aa"
    is_not_there "$text"
    echo mine >"$text"
    fetched 1 "is there, but is not the original"
    rm "$text"
    : >"$W/sums"
    fetched 1 "tinyshakespeare.txt: $W/sums has no checksum of it"
    fetched 2 "MODEL=gpt3: expected gpt2, gpt2-medium" gpt3
}

# Each file of each model is known by its checksum where it is there already.
other_files_do_not_pass() {
    for name in $(sed -n 's/^[0-9a-f]*  \(.*\/.*\)/\1/p' tools/learner/data.sums); do
        own_sums "$name"
        mkdir -p "$data/${name%/*}" && cp "$site/input.txt" "$data/$name"
        fetched 1 "$data/$name is there, but is not the original" "${name%/*}"
    done
    rm -rf "$data"
}

# One of LLaMA's family comes with tokenizer.json.
a_model() {
    place=$(sed -n "s/^ *place=\(HuggingFaceTB[^ ]*\) .*/\1/p" tools/learner/data.sh)
    revision=$(sed -n '/HuggingFaceTB/,/revision/s/^ *revision=\([0-9a-f]*\) .*/\1/p' \
        tools/learner/data.sh)
    from=$site/$place/resolve/$revision
    mkdir -p "$from"
    for name in config.json tokenizer.json model.safetensors; do
        cp "$site/input.txt" "$from/$name"
    done
    own_sums none
    fetched 0 "fetched" smollm2-135m
    for name in config.json tokenizer.json model.safetensors; do
        is_whole "$data/smollm2-135m/$name"
    done
}
