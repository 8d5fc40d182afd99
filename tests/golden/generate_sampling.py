"""Exact sampling distributions, in Hugging Face's order: penalty, temperature, top-k, top-p."""

import math

import numpy as np
import torch

SETTINGS = ("name", "logits", "context", "repetition_penalty", "temperature", "top_k", "top_p", "note",
            "tie_at_top_p_cut")


def distribution(case):
    logits = torch.tensor([float(x) for x in case["logits"]], dtype=torch.float64)
    for token in set(case["context"]):  # once for each distinct token
        r = case["repetition_penalty"]
        logits[token] = logits[token] * r if logits[token] < 0 else logits[token] / r
    logits = logits / case["temperature"]
    if case["top_k"] > 0:  # all that equal the k-th largest stay
        kth = torch.topk(logits, min(case["top_k"], len(logits))).values[-1]
        logits[logits < kth] = -math.inf
    if case["top_p"] < 1:  # the smallest set of the likeliest tokens whose probability reaches p
        values, order = torch.sort(logits, stable=True)
        removed = values.softmax(-1).cumsum(-1) <= 1 - case["top_p"]
        removed[-1] = False
        logits[order[removed]] = -math.inf
    return logits


def compute(case):
    """The settings of a case with its results: probs, kept ids, argmax (lowest id), draws at the same u."""
    logits = distribution(case)
    probs = logits.softmax(-1).numpy()
    cumulative = np.cumsum(probs)
    draws = [{"u": d["u"], "token": int(np.argmax(cumulative > d["u"]))} for d in case["draws"]]
    return {**{k: case[k] for k in SETTINGS}, "probs": probs.tolist(),
            "kept": [i for i, x in enumerate(logits.tolist()) if x > -math.inf],
            "argmax": int(np.argmax(probs)), "draws": draws}


def difference(new, old):
    """The largest difference of a probability; infinity when ids differ. Which of several equal tokens
    survives a cut is left open where the case says so."""
    if new["tie_at_top_p_cut"]:
        return float(np.abs(np.sort(new["probs"]) - np.sort(old["probs"])).max())
    if any(new[k] != old[k] for k in ("kept", "argmax", "draws")):
        return math.inf
    return float(np.abs(np.array(new["probs"]) - np.array(old["probs"])).max())


def fresh(case, rng):
    """The same case with the tokens renamed and other random numbers: ties, cuts and notes stay true."""
    name = rng.permutation(len(case["logits"]))
    logits = [case["logits"][i] for i in np.argsort(name)]
    draws = [{"u": d["u"] and float(rng.random())} for d in case["draws"]]
    return {**case, "logits": logits, "context": [int(name[i]) for i in case["context"]], "draws": draws}
