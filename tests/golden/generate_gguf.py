"""What ggml's blocks stand for, from the description of the formats in plain Python, without numpy.

    generate_gguf.py            fills floats.T of gguf/blocks.safetensors from its blocks.T
    generate_gguf.py --check    compares them instead, exit 1 where a number differs

The blocks themselves were made by ggml. Every number here is exact: a float16 times a few whole numbers.
"""

import json
import os
import struct
import sys

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gguf", "blocks.safetensors")
ELEMENT = {"F32": 4, "U8": 1}


def half(data, at):
    return struct.unpack_from("<e", data, at)[0]


def q8_0(b):
    return [half(b, 0) * q for q in struct.unpack("<32b", b[2:])]


def q4_0(b):
    return [half(b, 0) * (q - 8) for q in [x & 15 for x in b[2:]] + [x >> 4 for x in b[2:]]]


def q4_1(b):
    return [half(b, 0) * q + half(b, 2) for q in [x & 15 for x in b[4:]] + [x >> 4 for x in b[4:]]]


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


KINDS = {"q8_0": (34, q8_0), "q4_0": (18, q4_0), "q4_1": (20, q4_1), "q4_k": (144, q4_k), "q6_k": (210, q6_k)}


def read(path):
    raw = open(path, "rb").read()
    (length,) = struct.unpack_from("<Q", raw)
    header, data = json.loads(raw[8 : 8 + length]), raw[8 + length :]
    metadata = header.pop("__metadata__")
    return {k: (v["dtype"], v["shape"], data[slice(*v["data_offsets"])]) for k, v in header.items()}, metadata


def write(path, tensors, metadata):
    header, data = {"__metadata__": metadata}, b""
    for name in sorted(tensors, key=lambda name: (-ELEMENT[tensors[name][0]], name)):
        dtype, shape, chunk = tensors[name]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(chunk)]}
        data += chunk
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)


def main():
    tensors, metadata = read(PATH)
    differ = []
    for kind, (size, decode) in KINDS.items():
        blocks = tensors["blocks." + kind][2]
        floats = [x for at in range(0, len(blocks), size) for x in decode(blocks[at : at + size])]
        new = "F32", tensors["x"][1], struct.pack(f"<{len(floats)}f", *floats)
        if tensors.get("floats." + kind) != new:
            differ.append(kind)
        tensors["floats." + kind] = new
    if "--check" in sys.argv:
        print("differ:", differ) if differ else print("equal")
        sys.exit(bool(differ))
    write(PATH, tensors, metadata)


main()
