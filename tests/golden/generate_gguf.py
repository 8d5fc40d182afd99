"""What ggml's blocks stand for, by llama.cpp's own package gguf.

    generate_gguf.py            fills floats.T of gguf/blocks.safetensors from its blocks.T
    generate_gguf.py --check    compares them instead, exit 1 where a number differs

The blocks themselves were made by ggml, those of Q5_0 and Q5_1 by its package gguf. Every number here is exact: a float16 times a few
whole numbers.
"""

import os
import sys

import numpy as np
from gguf import GGMLQuantizationType, dequantize

import safetensors_io as io

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gguf", "blocks.safetensors")

tensors, metadata = io.read(PATH)
differ = []
for name in [name for name in tensors if name.startswith("blocks.q")]:
    kind = name[len("blocks."):]
    new = dequantize(tensors[name], GGMLQuantizationType[kind.upper()])
    new = new.astype(np.float32).reshape(tensors["x"].shape)
    if not np.array_equal(tensors.get("floats." + kind), new):
        differ.append(kind)
    tensors["floats." + kind] = new
if "--check" in sys.argv:
    print("differ:", differ) if differ else print("equal")
    sys.exit(bool(differ))
io.write(PATH, dict(sorted(tensors.items())), metadata)
