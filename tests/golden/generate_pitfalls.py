"""pitfalls.json: how far common mistakes move the numbers, so that tolerances can be chosen that see them."""

import json
import math
import os

import torch

import generate_gpt2 as gpt2
from generate_layers import ACTIVATIONS, layer_norm, sinusoids


def gelu():
    """The differences are even functions, and the minimum lies on the negative side."""
    x = torch.arange(0, 10, 1e-5, dtype=torch.float64)
    erf = ACTIVATIONS["gelu_erf"](x)
    out = {}
    for name in ("gelu_tanh", "gelu_sigmoid", "gelu_tanh1702"):
        worst = (ACTIVATIONS[name](x) - erf).abs().max(0)
        out[f"{name}_minus_erf"] = {"max_abs": worst.values.item(), "at_x": x[worst.indices].item()}
    for name in ("gelu_erf", "gelu_tanh"):
        lowest = ACTIVATIONS[name](-x).min(0)
        out[f"{name}_minimum"] = {"x": -x[lowest.indices].item(), "y": lowest.values.item()}
    return out


def unbiased_norm(eps_inside):
    def norm(x, weight, bias, eps):
        variance = x.var(-1, unbiased=True, keepdim=True)
        scale = torch.sqrt(variance + eps) if eps_inside else variance.sqrt() + eps
        return weight * (x - x.mean(-1, True)) / scale + bias

    return norm


def layernorm():
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64)
    return {
        "ratio_of_unbiased_to_right": {str(n): math.sqrt((n - 1) / n) for n in (2, 4, 8, 32, 64, 768)},
        "x_1_2_3_4_eps_1e-5": {"right": layer_norm(x, None, None, 1e-5).tolist(),
                               "unbiased_eps_outside": unbiased_norm(False)(x, 1.0, 0.0, 1e-5).tolist()},
    }


def parameter_counts():
    sizes = {"gpt2": (768, 12), "gpt2-medium": (1024, 24), "gpt2-large": (1280, 36), "gpt2-xl": (1600, 48)}
    return {name: 50257 * c + 1024 * c + layers * (12 * c * c + 13 * c) + 2 * c
            for name, (c, layers) in sizes.items()}


def logit_shifts(directory):
    """{mistake: largest change of a logit} for the model of that directory."""
    config = json.load(open(os.path.join(directory, "config.json")))
    w = {k: v.detach() for k, v in gpt2.load_weights(os.path.join(directory, "model.safetensors")).items()}
    path = os.path.join(directory, "golden_f64.safetensors")
    tokens = torch.tensor(gpt2.io.read(path)[0]["tokens"])[:, :-1]
    right = gpt2.forward(w, config, tokens)[0]
    c = config["n_embd"]

    def edit(suffix, change):
        return {k: change(v) if k.endswith(suffix) else v for k, v in w.items()}

    def swap_q_k(v):
        return torch.cat([v[..., c : 2 * c], v[..., :c], v[..., 2 * c :]], -1)

    plain = {**w, "ln_f.weight": torch.ones(c).double(), "ln_f.bias": torch.zeros(c).double()}
    biases = ("c_attn.bias", "c_proj.bias", "c_fc.bias")
    mistakes = {
        "layer norm eps 1e-6 instead of 1e-5": dict(config={"layer_norm_epsilon": 1e-6}),
        "layer norm eps 1e-12 instead of 1e-5": dict(config={"layer_norm_epsilon": 1e-12}),
        "layer norm eps 1e-3 instead of 1e-5": dict(config={"layer_norm_epsilon": 1e-3}),
        "layer norm, unbiased variance, eps inside": dict(norm=unbiased_norm(True)),
        "layer norm, unbiased deviation + eps": dict(norm=unbiased_norm(False)),
        "ln_f not loaded": dict(w=plain),
        "gelu erf instead of tanh": dict(config={"activation_function": "gelu"}),
        "gelu x*sigmoid(1.702x)": dict(config={"activation_function": "gelu_sigmoid"}),
        "gelu 0.5x(1+tanh(1.702x))": dict(config={"activation_function": "gelu_tanh1702"}),
        "relu": dict(config={"activation_function": "relu"}),
        "n_head 4 instead of 2": dict(config={"n_head": 4}),
        "linear biases forgotten": dict(w=edit(biases, torch.zeros_like)),
        "q and k swapped": dict(w={**edit("c_attn.weight", swap_q_k),
                                   **{k: swap_q_k(v) for k, v in w.items() if k.endswith("c_attn.bias")}}),
        "positions off by one": dict(w=edit("wpe.weight", lambda v: v.roll(-1, 0))),
        "sinusoidal positions": dict(w=edit("wpe.weight", lambda v: sinusoids(*v.shape))),
        "square c_proj used as [out,in]": dict(w=edit("attn.c_proj.weight", torch.t)),
    }
    return {name: (gpt2.forward(m.get("w", w), {**config, **m.get("config", {})}, tokens,
                                m.get("norm", layer_norm))[0] - right).abs().max().item()
            for name, m in mistakes.items()}


def compute(directory):
    return {
        "gelu": gelu(),
        "layernorm": layernorm(),
        "parameter_counts": parameter_counts(),
        "tiny_gpt2_logit_shift": logit_shifts(directory),
    }
