"""The two small GPT-2: checkpoints in every layout, and what the model computes from them."""

import json
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

import safetensors_io as io
from generate_layers import ACTIVATIONS, attend, layer_norm, split_heads

GREEDY, BEYOND = 12, 10  # greedy tokens; how far greedy_crop goes past n_positions
LEARNING_RATE, SCHEDULE = 3e-3, dict(high=5e-3, low=5e-4, warmup=3, steps=10)


def forward(w, config, tokens):
    """GPT-2 on tokens [B, T]; returns the logits and everything on the way."""
    act = ACTIVATIONS[{"gelu_new": "gelu_tanh", "gelu": "gelu_erf"}.get(config["activation_function"],
                                                                       config["activation_function"])]
    eps, T, C = config["layer_norm_epsilon"], tokens.shape[1], config["n_embd"]
    allowed = torch.ones(T, T).tril().bool()
    x = w["wte.weight"][tokens] + w["wpe.weight"][:T]
    seen = {"hidden.0": x}
    for i in range(config["n_layer"]):
        p = {k[len(f"h.{i}.") :]: v for k, v in w.items() if k.startswith(f"h.{i}.")}
        a = layer_norm(x, p["ln_1.weight"], p["ln_1.bias"], eps) @ p["attn.c_attn.weight"] + p["attn.c_attn.bias"]
        q, k, v = (split_heads(part, config["n_head"]) for part in a.split(C, -1))
        mixed, att = attend(q, k, v, allowed)
        x = x + mixed.transpose(1, 2).reshape(x.shape) @ p["attn.c_proj.weight"] + p["attn.c_proj.bias"]
        h = layer_norm(x, p["ln_2.weight"], p["ln_2.bias"], eps) @ p["mlp.c_fc.weight"] + p["mlp.c_fc.bias"]
        x = x + act(h) @ p["mlp.c_proj.weight"] + p["mlp.c_proj.bias"]
        seen.update({f"att.{i}": att, f"key.{i}": k, f"value.{i}": v, f"hidden.{i + 1}": x})
    seen["hidden_norm"] = layer_norm(x, w["ln_f.weight"], w["ln_f.bias"], eps)
    return seen["hidden_norm"] @ w["wte.weight"].T, seen


def loss_of(w, config, tokens):
    logits, seen = forward(w, config, tokens[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()), logits, seen


def greedy(w, config, prompt, count):
    """Appends the likeliest token `count` times, looking at the last n_positions tokens."""
    tokens, rows = list(prompt), []
    for _ in range(count):
        window = tokens[-config["n_positions"] :]
        rows.append(forward(w, config, torch.tensor([window]))[0][0, -1].detach())
        tokens.append(int(rows[-1].argmax()))
    return np.array(tokens[len(prompt) :]), torch.stack(rows).numpy()


def scheduled(t, high, low, warmup, steps):
    if t < warmup:
        return high * (t + 1) / (warmup + 1)
    return low + 0.5 * (1 + math.cos(math.pi * (t - warmup) / (steps - warmup))) * (high - low)


def train(weights, config, batches, rates, clip):
    """One AdamW step per batch; the losses before each step and, last, that of the first batch afterwards."""
    w = {k: torch.nn.Parameter(v.detach().clone()) for k, v in weights.items()}
    groups = [dict(params=[p for p in w.values() if p.ndim >= 2], weight_decay=0.1),
              dict(params=[p for p in w.values() if p.ndim < 2], weight_decay=0.0)]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.95), eps=1e-8)
    losses, norms = [], []
    for batch, rate in zip(batches, rates):
        optimizer.zero_grad()
        loss = loss_of(w, config, batch)[0]
        loss.backward()
        losses.append(loss.item())
        norms.append(torch.nn.utils.clip_grad_norm_(w.values(), clip).item())
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
    losses.append(loss_of(w, config, batches[0])[0].item())
    return {"losses": np.array(losses), "grad_norms": np.array(norms), "lrs": np.array(rates)}, w


def is_weight(name):
    return not name.endswith((".attn.bias", ".attn.masked_bias"))


def load_weights(path):
    """The weights as float64 leaves, named without the prefix; buffers and lm_head dropped."""
    out = {}
    for name, array in io.read(path)[0].items():
        name = name.removeprefix("transformer.")
        if is_weight(name) and name != "lm_head.weight":
            array = array.float32() if isinstance(array, io.BFloat16) else array
            out[name] = torch.tensor(array.astype(np.float64), requires_grad=True)
    return out


def checkpoints(weights, config):
    """{file: (tensors, metadata)}: the same weights in the layouts that are found in the wild."""
    w = {k: v.detach().numpy().astype(np.float32) for k, v in weights.items()}
    mask = np.tril(np.ones((1, 1, config["n_positions"], config["n_positions"]), np.float32))
    blocks, pt = range(config["n_layer"]), {"format": "pt"}

    def masks(prefix, dtype):
        return {f"{prefix}h.{i}.attn.bias": mask.astype(dtype) for i in blocks}

    prefixed = {"transformer." + k: v for k, v in w.items()}
    old = {**prefixed, **masks("transformer.", np.uint8), "lm_head.weight": w["wte.weight"],
           **{f"transformer.h.{i}.attn.masked_bias": np.array(-1e4, np.float32) for i in blocks}}
    return {
        "model": ({**w, **masks("", np.float32)}, pt),
        "model_prefixed": (prefixed, pt),
        "model_old_full": (old, None),
        "model_boolmask": ({**w, **masks("", np.bool_)}, pt),
        "model_f16": ({k: v.astype(np.float16) for k, v in w.items()}, pt),
        "model_bf16": ({k: io.BFloat16.rounded(v) for k, v in w.items()}, pt),
    }


def compute(w, config, inputs):
    """All of golden_f64 but its inputs (tokens, prompt, train_tokens)."""
    tokens, prompt = torch.tensor(inputs["tokens"]), inputs["prompt"].tolist()
    loss, logits, seen = loss_of(w, config, tokens)
    gradients = torch.autograd.grad(loss, list(w.values()))
    out = {"loss": loss[None], "logits": logits, **seen, **{"grad." + k: g for k, g in zip(w, gradients)}}
    out["greedy_new"], out["greedy_logits"] = greedy(w, config, prompt, GREEDY)
    # One token more than fits: the last one is chosen by the last position and never run.
    out["greedy_full_context"], rows = greedy(w, config, prompt, config["n_positions"] - len(prompt) + 1)
    out["greedy_crop"], more_rows = greedy(w, config, prompt, config["n_positions"] - len(prompt) + BEYOND)
    top = np.sort(np.concatenate([rows, more_rows]), -1)
    gap = (top[:, -1] - top[:, -2]).min()
    if gap < 1e-2:
        raise SystemExit(f"greedy text: two logits only {gap:.1e} apart are too close; try another seed")
    batches = torch.tensor(inputs["train_tokens"])
    steps = len(batches)
    a, _ = train(w, config, [batches[0]] * steps, [LEARNING_RATE] * steps, math.inf)
    b, final = train(w, config, batches, [scheduled(t, **SCHEDULE) for t in range(steps)], 1.0)
    out.update({f"trainA.{k}": v for k, v in a.items()})
    out.update({f"trainB.{k}": v for k, v in b.items()})
    out.update({f"trainB.final.{k}": v for k, v in final.items()})
    return {k: v.detach().numpy() if isinstance(v, torch.Tensor) else v for k, v in out.items()}


def fresh(weights, inputs, vocab, rng):
    """New weights with each tensor's mean and spread, and new tokens."""
    for name, w in weights.items():
        drawn = w.mean().item() + w.std().item() * rng.standard_normal(tuple(w.shape))
        weights[name] = torch.tensor(drawn.astype(np.float32).astype(np.float64), requires_grad=True)
    return weights, {k: rng.integers(0, vocab, v.shape) for k, v in inputs.items()}


def files(directory, rng=None):
    """{path: (tensors, metadata)} of one model's directory."""
    config = json.load(open(os.path.join(directory, "config.json")))
    weights = load_weights(os.path.join(directory, "model.safetensors"))
    golden = io.read(os.path.join(directory, "golden_f64.safetensors"))[0]
    inputs = {k: golden[k] for k in ("tokens", "prompt", "train_tokens")}
    if rng is not None:
        weights, inputs = fresh(weights, inputs, config["vocab_size"], rng)
    out = checkpoints(weights, config)
    half = {}
    for kind in ("f16", "bf16"):
        rounded = {k: torch.tensor(v.float32() if kind == "bf16" else v).double()
                   for k, v in out[f"model_{kind}"][0].items()}
        half[f"logits_{kind}"] = forward(rounded, config, torch.tensor(inputs["tokens"])[:, :-1])[0].numpy()
    out["golden_half"] = half, None
    out["golden_f64"] = {**inputs, **compute(weights, config, inputs)}, None
    return out
