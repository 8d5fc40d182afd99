"""gguf/tiny-q4_0.gguf, as llama.cpp's converter and quantizer wrote it but for its layers' blocks, which repeat, so that git packs
them; and gguf/logits.safetensors, what PyTorch computes in float64 from the file as llama.cpp's package gguf decodes it.

    generate_gguf_model.py            repeats the blocks and writes the logits
    generate_gguf_model.py --check    compares the logits instead, exit 1 where they differ

On the file as it was, with blocks of its own everywhere, these logits were llama.cpp's to 1.6 %: it rounds the inputs of
quantized products to 8 bits and takes GELU from a table.
"""

import os
import sys

import numpy as np
import torch
from gguf import GGUFReader, dequantize

import safetensors_io as io
from generate_gpt2 import forward

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gguf")
MODEL, LOGITS = (os.path.join(FOLDER, name) for name in ("tiny-q4_0.gguf", "logits.safetensors"))
CONFIG = {"n_layer": 2, "n_head": 4, "n_embd": 256, "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new"}
NAMES = {"token_embd": "wte", "position_embd": "wpe", "output_norm": "ln_f", "attn_norm": "ln_1", "ffn_norm": "ln_2",
         "attn_qkv": "attn.c_attn", "attn_output": "attn.c_proj", "ffn_up": "mlp.c_fc", "ffn_down": "mlp.c_proj"}
BLOCK, PERIOD, SHIFT = 18, 1021, 131


def repeat_blocks(tensors):
    """Block j of the k-th matrix becomes block j + 131 k of the first one, modulo 1021."""
    matrices = [t.data for t in tensors if t.name.startswith("blk.") and t.data.dtype == np.uint8]
    source = matrices[0].reshape(-1, BLOCK)[:PERIOD].copy()
    for k, data in enumerate(matrices):
        places = (np.arange(data.size // BLOCK) + SHIFT * k) % PERIOD
        data[:] = source[places].reshape(data.shape)


def weights_of(tensors):
    """As generate_gpt2.py has them: Hugging Face's names, matrices of layers [in, out]."""
    weights = {}
    for t in tensors:
        parts = t.name.split(".")
        if parts[0] == "output":
            continue
        w = dequantize(t.data, t.tensor_type)
        layer = f"h.{parts[1]}." if parts[0] == "blk" else ""
        w = w.T if layer and w.ndim == 2 else w
        weights[layer + NAMES[parts[-2]] + "." + parts[-1]] = torch.tensor(w.astype(np.float64))
    return weights


def main():
    check = "--check" in sys.argv
    tensors = GGUFReader(MODEL, "r" if check else "r+").tensors
    if not check:
        repeat_blocks(tensors)
    old = io.read(LOGITS)[0]
    logits = forward(weights_of(tensors), CONFIG, torch.tensor(old["ids"])[None])[0][0].numpy().astype(np.float32)
    if check:
        off = np.sqrt(((logits - old["logits"]) ** 2).sum() / (old["logits"] ** 2).sum())
        print(f"off by {off:.1e}")
        sys.exit(bool(off > 1e-6))
    io.write(LOGITS, {"ids": old["ids"], "logits": logits}, None)


main()
