"""What peers take for what `make bench` measures, as CSV lines "what,threads,ms", the least of
several: a training step of GPT-2 124M and a prompt by PyTorch; a token and a prompt of the file in
SMOLLM2_GGUF by llama.cpp. What is not installed has no line."""

import os
import time

TURNS = 5
print("what,threads,ms", flush=True)


def least(what, threads, work, turns=TURNS):
    work()  # the first time, memory is made
    times = []
    for _ in range(turns):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    print(f"{what},{threads},{1e3 * min(times):.4g}", flush=True)


def pytorch():
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config(resid_pdrop=0, embd_pdrop=0, attn_pdrop=0))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    tokens = torch.randint(50257, (4, 64))
    text = torch.randint(50257, (1, 512))

    def step():
        optimizer.zero_grad()
        model(tokens, labels=tokens).loss.backward()
        optimizer.step()

    def prompt():
        with torch.no_grad():
            model(text, logits_to_keep=1)

    for threads in 1, 2:
        torch.set_num_threads(threads)
        least("step", threads, step)
        least("prompt", threads, prompt)


def llama_cpp(path):
    from llama_cpp import Llama

    for threads in 1, 2:
        model = Llama(path, n_ctx=1024, n_batch=512, n_threads=threads,
                      n_threads_batch=threads, verbose=False)

        def prompt():
            model.reset()
            model.eval([1] * 512)

        least("llama-prompt", threads, prompt, 3)
        least("llama-token", threads, lambda: model.eval([1]), 24)


for peer, arguments in (pytorch, []), (llama_cpp, [os.environ.get("SMOLLM2_GGUF")]):
    try:
        if None not in arguments:
            peer(*arguments)
    except ModuleNotFoundError:
        pass
