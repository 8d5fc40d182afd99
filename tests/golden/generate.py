"""Recomputes the golden numbers with PyTorch in float64, from the inputs stored beside them.

    generate.py                      write every file anew
    generate.py --check              compare with the files, exit 1 where they differ by more than 1e-10
    generate.py --fresh 7 --out DIR  draw new inputs and write to DIR (token ids stay)
    --bpe DIR                        with --check: also the token ids, by Hugging Face's tokenizers, with the
                                     vocabulary in DIR; of texts that are UTF-8

Differences are relative to the largest number of a tensor; integers must be equal. See README.md.
"""

import argparse
import json
import math
import os
import shutil
import sys

import numpy as np

import generate_gpt2 as gpt2
import generate_layers as layers
import generate_sampling as sampling
import safetensors_io as io

HERE = os.path.dirname(os.path.abspath(__file__))
BOUND = 1e-10
# The gradient of the key's bias is zero in exact arithmetic. What comes out is rounding, 1e-17, and AdamW
# divides it by little more than its eps of 1e-8: ten steps at 5e-3 may move those biases by 5e-11, and the
# largest is near 0.1.
LOOSER = {"trainB.final.": 1e-8}
FLOOR = 1e-6  # a tensor of smaller numbers is compared as if this were its largest: zeros up to rounding


def difference(new, old):
    """The largest difference relative to the largest element; infinity when shapes or integers differ."""
    if isinstance(new, io.BFloat16) and isinstance(old, io.BFloat16):
        return 0.0 if np.array_equal(new.bits, old.bits) else math.inf
    new, old = np.asarray(new), np.asarray(old)
    if new.shape != old.shape or new.dtype != old.dtype:
        return math.inf
    if new.dtype != np.float64:
        return 0.0 if np.array_equal(new, old) else math.inf
    if not np.array_equal(np.isfinite(new), np.isfinite(old)) or not old.size:
        return math.inf if old.size else 0.0
    finite = np.isfinite(old)
    if not np.array_equal(new[~finite], old[~finite], equal_nan=True):
        return math.inf
    scale = max(np.abs(old[finite]).max(initial=0.0), FLOOR)
    return float(np.abs(new[finite] - old[finite]).max(initial=0.0) / scale)


def layer_file(name, rng):
    """The tensors of a family: the inputs as stored or drawn anew, the outputs computed."""
    stored, _ = io.read(os.path.join(HERE, "layers", name + "_f64.safetensors"))
    cases = {}
    for key, array in stored.items():
        case, tensor = key.split(".", 1)
        cases.setdefault(case, {})[tensor] = array
    out = {}
    for case, arrays in sorted(cases.items()):
        inputs = {k: v for k, v in arrays.items() if k in layers.FAMILIES[name][2] or k.startswith("attr.")}
        if rng is not None:
            inputs = {k: layers.fresh(case, k, v, rng) for k, v in inputs.items()}
        outputs = layers.compute(name, case, inputs)
        out.update({f"{case}.{k}": v for k, v in sorted({**inputs, **outputs}.items())})
    return out


def layer_index(files):
    """layers/index.json: formulas, attributes and shapes, one line per case."""
    families = []
    for name, tensors in files.items():
        cases = {}
        for key, array in tensors.items():
            case, tensor = key.split(".", 1)
            entry = cases.setdefault(case, {"attr": {}, "tensors": {}})
            if tensor.startswith("attr."):
                entry["attr"][tensor[5:]] = array[0].item()
            else:
                entry["tensors"][tensor] = list(array.shape)
        lines = ",\n".join(f"   {json.dumps(case)}: {json.dumps(entry)}" for case, entry in cases.items())
        formula = json.dumps(layers.FAMILIES[name][1])
        families.append(f' "{name}": {{\n  "formula": {formula},\n  "cases": {{\n{lines}\n  }}\n }}')
    return "{\n" + ",\n".join(families) + "\n}\n"


def all_files(rng):
    """{path: content}: (tensors, metadata) for .safetensors, text for .json."""
    out, families = {}, {}
    for name, (_, formula, _) in layers.FAMILIES.items():
        families[name] = layer_file(name, rng)
        out[f"layers/{name}_f64.safetensors"] = families[name], {"formula": formula}
    out["layers/index.json"] = layer_index(families)
    for model in ("tiny_gpt2", "tiny_gpt2_variant"):
        for name, content in gpt2.files(os.path.join(HERE, model), rng).items():
            out[f"{model}/{name}.safetensors"] = content
    cases = json.load(open(os.path.join(HERE, "sampling.json")))
    cases = [sampling.compute(c if rng is None else sampling.fresh(c, rng)) for c in cases]
    out["sampling.json"] = "[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n"
    return out


def compare_json(path, new, old):
    if path == "sampling.json":
        return max(sampling.difference(a, b) for a, b in zip(new, old))
    if isinstance(new, dict) and isinstance(old, dict) and new.keys() == old.keys():
        return max((compare_json(path, new[k], old[k]) for k in new), default=0.0)
    if isinstance(new, float) and isinstance(old, float):
        return abs(new - old) / max(abs(old), FLOOR)
    return 0.0 if new == old else math.inf


def compare_file(path, content):
    """The tensor that differs most for its bound: (difference, bound, name)."""
    stored_path = os.path.join(HERE, path)
    if path.endswith(".json"):
        return compare_json(path, json.loads(content), json.load(open(stored_path))), BOUND, "-"
    stored, metadata = io.read(stored_path)
    if stored.keys() != content[0].keys() or metadata != content[1]:
        return math.inf, BOUND, f"names or metadata: {sorted(stored.keys() ^ content[0].keys())[:3]}"
    found = []
    for name in stored:
        bound = next((LOOSER[k] for k in LOOSER if name.startswith(k)), BOUND)
        found.append((difference(content[0][name], stored[name]), bound, name))
    return max(found, key=lambda f: f[0] / f[1])


def check_bpe(directory):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    tokenizer = Tokenizer(models.BPE.from_file(f"{directory}/vocab.json", f"{directory}/merges.txt"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    bad = 0
    for name in "bpe_dev", "edge_whitespace", "decode", "special":
        if name == "special":
            tokenizer.add_special_tokens(["<|endoftext|>"])
        lines = [json.loads(line) for line in open(os.path.join(HERE, "bpe", name + ".jsonl"))]
        texts = [(bytes.fromhex(line["text_hex"]).decode("utf-8", "replace"), line["ids"]) for line in lines]
        wrong = sum(tokenizer.decode(ids, False) != text or name != "decode" and tokenizer.encode(text).ids != ids
                    for text, ids in texts)
        print(f"{f'{wrong} of {len(lines)} lines differ':>28}         bpe/{name}.jsonl")
        bad += wrong > 0
    return bad


def check(content, bpe_directory):
    bad = 0
    print(f"{'largest relative difference':>28}  bound  file (tensor)")
    for path in content:
        worst, bound, where = compare_file(path, content[path])
        bad += not worst <= bound
        print(f"{worst:28.1e}  {bound:.0e}  {path} ({where})")
    if bpe_directory:
        bad += check_bpe(bpe_directory)
    print(f"{bad} files differ" if bad else "all within bounds")
    return bad > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--fresh", type=int, metavar="SEED")
    parser.add_argument("--out", metavar="DIR", help="where to write (default: in place)")
    parser.add_argument("--bpe", metavar="DIR", help="vocab.json and merges.txt of GPT-2")
    args = parser.parse_args()
    if args.fresh is not None and (args.check or not args.out):
        parser.error("--fresh draws new inputs: it needs --out DIR and does not go with --check")
    content = all_files(None if args.fresh is None else np.random.default_rng(args.fresh))
    if args.check:
        return check(content, args.bpe)
    if args.out:  # what is not drawn anew: token ids, configurations
        drop = shutil.ignore_patterns("*.py", "__pycache__", "README.md")
        shutil.copytree(HERE, args.out, ignore=drop, dirs_exist_ok=True)
    for path, data in content.items():
        target = os.path.join(args.out or HERE, path)
        if path.endswith(".json"):
            open(target, "w").write(data)
        else:
            io.write(target, *data)
    print(f"{len(content)} files written to {args.out or HERE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
