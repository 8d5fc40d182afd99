"""Low-rank changes as the library PEFT saves them, and what it computes with them: adapters/.

    generate_adapters.py            writes adapters/NAME/adapter_config.json, adapter_model.safetensors and golden.safetensors
    generate_adapters.py --check    compares golden.safetensors, exit 1 where a tensor differs by more than 1e-5 of its largest number
    generate_adapters.py --read BASE ADAPTER MERGED    the largest difference between PEFT's logits of a model with an adapter, both
                                    in directories, and those of another model: of what `gpt tune --save-adapter` and `--merge` wrote

`gpt2` changes all matrices of tiny_gpt2's blocks, `llama` only q, v and down of llama/smol, where each has an A of its own. Golden
are logits, loss and, by PyTorch's automatic differentiation, the gradients of A and B. Made with PEFT 0.21.2, transformers 5.24 and
PyTorch 2.14.
"""

import os
import sys

import numpy as np
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM

import safetensors_io as io

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {
    "gpt2": ("tiny_gpt2", 97, dict(r=2, lora_alpha=3, fan_in_fan_out=True, target_modules=["c_attn", "c_proj", "c_fc"])),
    "llama": ("llama/smol", 460, dict(r=3, lora_alpha=6, target_modules=["q_proj", "v_proj", "down_proj"])),
}
LENGTH = 12
GRADIENTS = (".0.attn.c_attn.", ".1.mlp.c_proj.", ".0.self_attn.q_proj.", ".1.self_attn.v_proj.", ".3.mlp.down_proj.")


def tiny(base, n_vocab, settings):
    """A model with a change in which A and B are random eighths."""
    torch.manual_seed(1)
    model = AutoModelForCausalLM.from_pretrained(os.path.join(HERE, base), attn_implementation="eager")
    model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **settings))
    model.peft_config["default"].base_model_name_or_path = base
    drawn = np.random.default_rng(3)
    for name, parameter in sorted(model.named_parameters()):
        if ".lora_" in name:
            parameter.data = torch.tensor(drawn.integers(-4, 5, parameter.shape) / 8, dtype=torch.float32)
    return model


def compute(model, n_vocab):
    ids = torch.tensor(np.random.default_rng(5).integers(0, n_vocab, (1, LENGTH)))
    model = model.double().eval()
    out = model(input_ids=ids, labels=ids, use_cache=False)
    out.loss.backward()
    new = {"tokens": ids[0].numpy().astype(np.int32), "logits": out.logits[0], "loss": out.loss}
    for name, parameter in model.named_parameters():
        if ".lora_" in name and any(part in name for part in GRADIENTS):
            new["grad." + name.replace(".default", "")] = parameter.grad
    return {k: v if isinstance(v, np.ndarray) else v.detach().numpy().astype(np.float32) for k, v in new.items()}


def read(base, adapter, merged):
    ids = torch.arange(1, 40)[None]
    with torch.no_grad():
        model = AutoModelForCausalLM.from_pretrained(base)
        before = model(ids).logits
        changed = PeftModel.from_pretrained(model, adapter)(ids).logits
        other = AutoModelForCausalLM.from_pretrained(merged)(ids).logits
    print(f"changed by {(changed - before).abs().max():.3f}, differ by {(changed - other).abs().max():.1e}")


def main():
    if "--read" in sys.argv:
        return read(*sys.argv[-3:])
    worst = 0
    for name, (base, n_vocab, settings) in CASES.items():
        folder = os.path.join(HERE, "adapters", name)
        model = tiny(base, n_vocab, settings)
        if "--check" not in sys.argv:
            model.save_pretrained(folder)
            os.remove(os.path.join(folder, "README.md"))
        new = compute(model, n_vocab)
        path = os.path.join(folder, "golden.safetensors")
        if "--check" not in sys.argv:
            io.write(path, {k: np.ascontiguousarray(v) for k, v in sorted(new.items())}, None)
            continue
        old, _ = io.read(path)
        apart = max(np.abs(new[k].astype(np.float64) - old[k]).max() / np.abs(old[k]).max() for k in old)
        print(f"adapters/{name}: {apart:.1e}")
        worst = max(worst, apart)
    sys.exit(bool(worst > 1e-5))


main()
