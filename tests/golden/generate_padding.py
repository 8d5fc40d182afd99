"""What Hugging Face's transformers computes from tiny_gpt2 on a batch with padding: padding/golden.safetensors.

    generate_padding.py            writes it
    GOLDEN_DIR=D generate_padding.py    the same of the model in D, behind generate.py --fresh
    generate_padding.py --check    compares, exit 1 where a tensor differs by more than 1e-5 of its largest number

Four texts of tiny_gpt2's tokens stand in rows of 10: with padding in front, without any, with padding behind, and with a hole. The
positions are those that transformers' generate counts, and the loss leaves out what padding predicts, which a plain
`labels[mask == 0] = -100` does not: the last padding in front would predict the first token. Made with transformers 5.24 and PyTorch 2.13.
"""

import os
import sys

import numpy as np
import torch
from transformers import AutoConfig, GPT2LMHeadModel

import safetensors_io as io

HERE = os.environ.get("GOLDEN_DIR") or os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(HERE, "padding", "golden.safetensors")
LENGTH, PADDING = 10, 96
MASK = ["0000111111", "1111111111", "1111111000", "0110111101"]
GRADIENTS = ["transformer.wpe.weight", "transformer.h.0.attn.c_attn.bias", "transformer.ln_f.weight"]


def load():
    folder = os.path.join(HERE, "tiny_gpt2")
    config = AutoConfig.from_pretrained(folder, attn_implementation="eager")
    model = GPT2LMHeadModel(config).double().eval()
    weights, _ = io.read(os.path.join(folder, "model_prefixed.safetensors"))
    model.load_state_dict({k: torch.tensor(v).double() for k, v in weights.items()}, strict=False)
    model.tie_weights()
    return model


def compute():
    model = load()
    mask = torch.tensor([[int(c) for c in row] for row in MASK])
    drawn = np.random.default_rng(5).integers(0, PADDING, mask.shape)
    ids = torch.where(mask == 1, torch.tensor(drawn), PADDING)
    positions = (mask.cumsum(1) - 1).masked_fill(mask == 0, 0)
    out = model(input_ids=ids, attention_mask=mask, position_ids=positions, use_cache=False, output_attentions=True,
                output_hidden_states=True)
    counts = (mask[:, :-1] * mask[:, 1:]).bool()
    loss = torch.nn.functional.cross_entropy(out.logits[:, :-1][counts], ids[:, 1:][counts])
    loss.backward()
    gradients = dict(model.named_parameters())
    new = {"tokens": ids.numpy().astype(np.int32), "mask": mask.numpy().astype(np.int32), "loss": loss.detach()}
    tokens = mask.bool()
    new["hidden_norm"] = torch.where(tokens[:, :, None], out.hidden_states[-1], 0)
    new["last_logits"] = out.logits[:, -1]
    new["att.1"] = torch.where(tokens[:, None, :, None], out.attentions[1], 0)
    new.update({"grad." + name.removeprefix("transformer."): gradients[name].grad for name in GRADIENTS})
    return {k: v if isinstance(v, np.ndarray) else v.detach().numpy().astype(np.float32) for k, v in new.items()}


def main():
    new = compute()
    if "--check" not in sys.argv:
        os.makedirs(os.path.dirname(PATH), exist_ok=True)
        io.write(PATH, {k: np.ascontiguousarray(v) for k, v in sorted(new.items())}, None)
        return
    old, _ = io.read(PATH)
    worst = max(np.abs(new[k].astype(np.float64) - old[k]).max() / np.abs(old[k]).max() for k in old)
    print(f"padding/golden.safetensors: {worst:.1e}")
    sys.exit(bool(worst > 1e-5))


main()
