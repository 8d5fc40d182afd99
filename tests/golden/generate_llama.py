"""The small models of LLaMA's family in llama/, and what Hugging Face's transformers computes from them.

    generate_llama.py            writes model.safetensors, golden.safetensors and llama_cpp.gguf
    generate_llama.py --check    compares them instead, exit 1 where one differs by more than 1e-5 of its largest number

Every weight is a small whole number times a power of two, from a sequence that begins again after 4093 numbers: exact in every
format, random enough that a wrong convention shows, and small in a repository, which packs what repeats. Files are read for their
ids and prompt, and for the header of llama.cpp's converter, and written over. Made with transformers 4.44, PyTorch 1.13 and
llama.cpp's package gguf.
"""

import os
import sys

import numpy as np
import torch
from gguf import GGUFReader
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.models.llama import modeling_llama
from transformers.models.qwen2 import modeling_qwen2

import safetensors_io as io

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "llama")
PERIOD, SEED, SHOWN, PROMPT, GREEDY, APART = 4093, 2, 24, 8, 48, 1e-2


def sequence():
    """4093 whole numbers from -128 to 127, by a linear congruential generator."""
    numbers, state = [], SEED
    for _ in range(PERIOD):
        state = (1664525 * state + 1013904223) % 2**32
        numbers.append((state >> 24) - 128)
    return np.array(numbers, np.float32)


def weights_of(shapes):
    """{name: array}: the sequence, name by name."""
    numbers, at, weights = sequence(), 0, {}
    for name in sorted(shapes):
        size = int(np.prod(shapes[name]))
        drawn = numbers[(at + np.arange(size)) % PERIOD].reshape(shapes[name])
        scale = 2.0**-8 if "embed" in name else 2.0**-10 if "down_proj" in name else 2.0**-9
        weights[name] = np.float32(1 if "norm" in name else 0) + np.float32(scale) * drawn
        at += size
    return weights


seen = {}


def noting(rotate):
    """Notes what the first layer rotates, and what comes of it."""
    def noted(q, k, *rest, **more):
        rotated = rotate(q, k, *rest, **more)
        if not seen:
            first = {"q": q, "k": k, "q_rotated": rotated[0], "k_rotated": rotated[1]}
            seen.update({name: x[0, :, :SHOWN] for name, x in first.items()})
        return rotated
    return noted


for module in (modeling_llama, modeling_qwen2):
    module.apply_rotary_pos_emb = noting(module.apply_rotary_pos_emb)


def greedy(model, prompt):
    ids = prompt.tolist()
    for _ in range(GREEDY):
        top = model(torch.tensor([ids]), use_cache=False).logits[0, -1].topk(2)
        if top.values[0] - top.values[1] < APART:
            raise SystemExit(f"greedy text: two logits less than {APART} apart; take another seed")
        ids.append(int(top.indices[0]))
    return np.array(ids)


def compute(model, ids, prompt):
    seen.clear()
    hidden = model.model(torch.tensor([ids.tolist()]), use_cache=False).last_hidden_state[0]
    out = {**seen, "hidden_norm": hidden, "logits": model.lm_head(hidden)}
    out = {name: x.numpy().astype(np.float32) for name, x in out.items()}
    return {**out, "ids": ids, "greedy": greedy(model, prompt)}


def permuted(w, heads):
    """Rows of q and k as llama.cpp has them: the partners of a rotation beside each other."""
    return w.reshape(heads, 2, -1, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


def gguf_tensors(weights, config):
    names = {"embed_tokens": "token_embd", "norm": "output_norm", "input_layernorm": "attn_norm",
             "post_attention_layernorm": "ffn_norm", "q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v",
             "o_proj": "attn_output", "gate_proj": "ffn_gate", "up_proj": "ffn_up", "down_proj": "ffn_down"}
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    out = {}
    for name, w in weights.items():
        parts = name.split(".")
        layer = f"blk.{parts[2]}." if parts[1] == "layers" else ""
        out[layer + names[parts[-2]] + ".weight"] = permuted(w, heads[parts[-2]]) if parts[-2] in heads else w
    return out


def differs(new, old):
    """The largest difference, as a share of the largest number."""
    return max(np.abs(new[k].astype(np.float64) - old[k]).max() / np.abs(old[k]).max() for k in old)


def files(name):
    """Of one model: its path, its tensors, and what is there."""
    folder = os.path.join(FOLDER, name)
    config = AutoConfig.from_pretrained(folder, attn_implementation="eager")
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").double().eval()
    shapes = {k: tuple(v.shape) for k, v in model.state_dict().items()}
    if config.tie_word_embeddings:
        del shapes["lm_head.weight"]
    weights = weights_of(shapes)
    model.load_state_dict({k: torch.tensor(v) for k, v in weights.items()}, strict=False)
    model.tie_weights()
    path = {kind: os.path.join(folder, kind + ".safetensors") for kind in ("model", "golden")}
    old = {kind: io.read(path[kind])[0] for kind in path}
    golden = compute(model, old["golden"]["ids"], old["golden"]["greedy"][:PROMPT])
    yield path["model"], weights, old["model"], {"format": "pt"}
    yield path["golden"], golden, old["golden"], None
    path = os.path.join(folder, "llama_cpp.gguf")
    if os.path.exists(path):
        file = GGUFReader(path, "r" if "--check" in sys.argv else "r+")
        new = gguf_tensors(weights, config)
        data = {t.name: t.data for t in file.tensors if t.name != "rope_freqs.weight"}
        yield path, {k: new[k].reshape(data[k].shape) for k in data}, data, None


def main():
    worst = 0
    for name in ("smol", "qwen", "llama3"):
        for path, new, old, metadata in files(name):
            if "--check" in sys.argv:
                off = differs(new, old)
                worst = max(worst, off)
                print(f"{os.path.relpath(path, FOLDER)}: {off:.1e}")
            elif path.endswith(".gguf"):
                for tensor, data in old.items():
                    data[:] = new[tensor]
            else:
                io.write(path, {k: np.ascontiguousarray(v) for k, v in sorted(new.items())}, metadata)
    sys.exit(bool(worst > 1e-5))


with torch.no_grad():
    main()
