"""What ggml's blocks stand for, from the description of the formats, in plain Python.

    generate_gguf.py            fills floats.T of gguf/blocks.safetensors from its blocks.T
    generate_gguf.py --check    compares them instead, exit 1 where a number differs

The blocks themselves were made by ggml, those of Q5_0 and Q5_1 by its package gguf. Every number here is exact: a float16 times a few whole numbers.
"""

import os
import struct
import sys

import numpy as np

import safetensors_io as io

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gguf", "blocks.safetensors")


def half(data, at):
    return struct.unpack_from("<e", data, at)[0]


def q8_0(b):
    return [half(b, 0) * q for q in struct.unpack("<32b", b[2:])]


def q4_0(b):
    return [half(b, 0) * (q - 8) for q in [x & 15 for x in b[2:]] + [x >> 4 for x in b[2:]]]


def q4_1(b):
    return [half(b, 0) * q + half(b, 2) for q in [x & 15 for x in b[4:]] + [x >> 4 for x in b[4:]]]


def fives(high, q):
    low = [x & 15 for x in q] + [x >> 4 for x in q]
    return [x | (int.from_bytes(high, "little") >> i & 1) << 4 for i, x in enumerate(low)]


def q5_0(b):
    return [half(b, 0) * (q - 16) for q in fives(b[2:6], b[6:])]


def q5_1(b):
    return [half(b, 0) * q + half(b, 2) for q in fives(b[4:8], b[8:])]


def q4_k(b):
    f, out = b[4:16], []
    for p in range(8):
        if p < 4:
            s, m = f[p] & 63, f[p + 4] & 63
        else:
            s, m = f[p + 4] & 15 | f[p - 4] >> 6 << 4, f[p + 4] >> 4 | f[p] >> 6 << 4
        q = b[16 + p // 2 * 32 : 48 + p // 2 * 32]
        out += [half(b, 0) * s * (x >> 4 * (p % 2) & 15) - half(b, 2) * m for x in q]
    return out


def q6_k(b):
    low, high, factors = b[:128], b[128:192], struct.unpack("<16b", b[192:208])
    out = []
    for i in range(256):
        h, k = divmod(i, 128)  # the half of the block, the place in it
        q = low[64 * h + k % 64] >> 4 * (k // 64) & 15 | (high[32 * h + k % 32] >> 2 * (k // 32) & 3) << 4
        out.append(half(b, 208) * factors[i // 16] * (q - 32))
    return out


KINDS = {"q8_0": (34, q8_0), "q4_0": (18, q4_0), "q4_1": (20, q4_1), "q5_0": (22, q5_0), "q5_1": (24, q5_1), "q4_k": (144, q4_k), "q6_k": (210, q6_k)}


def main():
    tensors, metadata = io.read(PATH)
    differ = []
    for kind, (size, decode) in KINDS.items():
        blocks = tensors["blocks." + kind].tobytes()
        floats = [x for at in range(0, len(blocks), size) for x in decode(blocks[at : at + size])]
        new = np.array(floats, np.float32).reshape(tensors["x"].shape)
        if not np.array_equal(tensors.get("floats." + kind), new):
            differ.append(kind)
        tensors["floats." + kind] = new
    if "--check" in sys.argv:
        print("differ:", differ) if differ else print("equal")
        sys.exit(bool(differ))
    io.write(PATH, dict(sorted(tensors.items())), metadata)


main()
