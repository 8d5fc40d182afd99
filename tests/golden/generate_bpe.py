"""A second GPT-2 tokenizer, written for checking: no regular expressions, no cache.

The vocabulary (vocab.json, merges.txt) is OpenAI's and stands in a directory of the user's.
"""

import json
import os
import unicodedata

SPECIAL = "<|endoftext|>"
CONTRACTIONS = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")
# Unicode's White_Space property; str.isspace differs from it at U+001C to U+001F.
SPACES = set(map(chr, [*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                       0x202F, 0x205F, 0x3000]))


def kind(c):
    """S space, L letter, N number, O other: a byte that is not UTF-8 (a lone surrogate here) is other."""
    if c in SPACES:
        return "S"
    category = unicodedata.category(c)[0]
    return category if category in "LN" else "O"


def pieces(text):
    """The pre-tokenizer: contractions, words, numbers and others with one blank before them, white space."""
    kinds, n, i = [kind(c) for c in text], len(text), 0

    def run(start):
        end = start
        while end < n and kinds[end] == kinds[start]:
            end += 1
        return end

    while i < n:
        contraction = next((c for c in CONTRACTIONS if text.startswith(c, i)), None)
        if contraction:
            end = i + len(contraction)
        elif kinds[i] != "S":
            end = run(i)
        elif text[i] == " " and i + 1 < n and kinds[i + 1] != "S":
            end = run(i + 1)
        else:  # white space up to the last one before a word, which belongs to the word or stands alone
            end = run(i)
            if end < n and end - i > 1:
                end -= 1
        yield text[i:end]
        i = end


class Tokenizer:
    def __init__(self, directory):
        self.ids = json.load(open(os.path.join(directory, "vocab.json"), encoding="utf-8"))
        lines = open(os.path.join(directory, "merges.txt"), encoding="utf-8").read().split("\n")[1:]
        self.ranks = {tuple(line.split(" ")): rank for rank, line in enumerate(lines) if line}
        printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
        others = [b for b in range(256) if b not in printable]
        self.letter = {b: chr(b) for b in printable} | {b: chr(256 + i) for i, b in enumerate(others)}
        byte = {c: b for b, c in self.letter.items()}
        self.bytes = {i: bytes(byte[c] for c in token) for token, i in self.ids.items() if token != SPECIAL}
        self.bytes[self.ids[SPECIAL]] = SPECIAL.encode()

    def merge(self, piece):
        parts = [self.letter[b] for b in piece]
        while len(parts) > 1:
            ranks = [self.ranks.get(pair, len(self.ranks)) for pair in zip(parts, parts[1:])]
            best = min(range(len(ranks)), key=ranks.__getitem__)  # the leftmost of the best
            if ranks[best] == len(self.ranks):
                break
            parts[best : best + 2] = [parts[best] + parts[best + 1]]
        return [self.ids[part] for part in parts]

    def encode(self, raw, special=False):
        if special and SPECIAL.encode() in raw:
            before, _, after = raw.partition(SPECIAL.encode())
            return [*self.encode(before), self.ids[SPECIAL], *self.encode(after, True)]
        text = raw.decode("utf-8", "surrogateescape")
        return [i for piece in pieces(text) for i in self.merge(piece.encode("utf-8", "surrogateescape"))]

    def decode(self, ids):
        return b"".join(self.bytes[i] for i in ids)


def check(path, tokenizer):
    """How many lines of a .jsonl file the tokenizer sees otherwise, and how many there are."""
    lines = [json.loads(line) for line in open(path)]
    wrong = 0
    for line in lines:
        raw = bytes.fromhex(line["text_hex"])
        decoded = tokenizer.decode(line["ids"]) == raw
        encoded = tokenizer.encode(raw, special="special" in path) == line["ids"]
        wrong += not (decoded and (encoded or "decode" in os.path.basename(path)))
    return wrong, len(lines)
