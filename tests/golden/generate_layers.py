"""The layers: every output and gradient of layers/*.safetensors, from the inputs stored there.

A family is a function that takes the tensors of one case (a Case) and returns the outputs by name. Gradients
are those of sum(y * dy), named d<input>.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

FAMILIES = {}  # name -> (function, formula, names of the inputs)


def family(inputs):
    """Registers a function of this name; its docstring is the formula."""

    def register(function):
        FAMILIES[function.__name__] = function, " ".join(function.__doc__.split()), set(inputs.split())
        return function

    return register


class Case(dict):
    """The tensors of one case as float64 (integers as int64) and its attributes as .attr."""

    def __init__(self, name, arrays):
        super().__init__()
        self.name, self.attr = name, {}
        for key, array in arrays.items():
            if key.startswith("attr."):
                self.attr[key[5:]] = array[0].item()
            elif array.dtype.kind == "f":
                self[key] = torch.tensor(array, dtype=torch.float64, requires_grad=key != "dy")
            else:
                self[key] = torch.tensor(array)

    def backward(self, y, **more):
        """y, the other values, and the gradient of each float input that y depends on."""
        wanted = {k: v for k, v in self.items() if v.requires_grad and k in self.differentiable}
        gradients = torch.autograd.grad(y, list(wanted.values()), self["dy"])
        return {"y": y, **more, **{"d" + k: g for k, g in zip(wanted, gradients)}}


def compute(name, case_name, arrays):
    """All outputs of a case as numpy arrays."""
    function, _, inputs = FAMILIES[name]
    case = Case(case_name, {k: v for k, v in arrays.items() if k in inputs or k.startswith("attr.")})
    case.differentiable = set(case)
    return {k: v.detach().numpy() for k, v in function(case).items()}


# ---- norms ----


def layer_norm(x, weight, bias, eps, axes=1):
    """Two passes, as the formula says: torch's own kernel leaves 1e-14 where one element must give zero."""
    over = tuple(range(-axes, 0))
    centered = x - x.mean(over, keepdim=True)
    y = centered / torch.sqrt((centered * centered).mean(over, keepdim=True) + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


@family("x weight bias dy")
def layernorm(c):
    """y = (x - mean) / sqrt(mean((x - mean)^2) + eps) * weight + bias over the last attr.ndim axes."""
    return c.backward(layer_norm(c["x"], c.get("weight"), c.get("bias"), c.attr["eps"], int(c.attr["ndim"])))


@family("x x2 x3 weight bias dy running_mean running_var running_mean0 running_var0")
def batchnorm(c):
    """train: batch mean, biased variance; running = (1 - momentum) * running + momentum * batch, where
    the batch's variance is UNBIASED; x, x2, x3 one after the other, gradients of the first. eval:
    running_mean, running_var."""
    c.differentiable = {"x", "weight", "bias"}
    train = "x2" in c
    mean, var = (c[name + "0" * train].detach().clone() for name in ("running_mean", "running_var"))
    out = {}
    for i, x in enumerate(("x", "x2", "x3") if train else ("x",), 1):
        y = F.batch_norm(c[x], mean, var, c["weight"], c["bias"], train, c.attr["momentum"], c.attr["eps"])
        out.update(c.backward(y) if i == 1 else {f"y{i}": y})
        if train:
            out[f"running_mean{i}"], out[f"running_var{i}"] = mean.clone(), var.clone()
    return out


def rms_norm(x, weight, eps):
    y = x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return y if weight is None else y * weight


@family("x weight dy")
def rmsnorm(c):
    """y = x / sqrt(mean(x^2) + eps) * weight."""
    return c.backward(rms_norm(c["x"], c.get("weight"), c.attr["eps"]))


# ---- linear, activations, feed-forward ----


@family("x weight bias dy")
def linear(c):
    """linear*: y = x W^T + b, W [out, in]; conv1d*: y = x W + b, W [in, out]."""
    weight = c["weight"].T if c.name.startswith("conv1d") else c["weight"]
    return c.backward(F.linear(c["x"], weight, c.get("bias")))


ACTIVATIONS = {
    "relu": F.relu,
    "gelu_erf": F.gelu,
    "gelu_tanh": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": F.silu,
    "sigmoid": torch.sigmoid,
    "identity": lambda x: x,
}


@family("x dy")
def activation(c):
    """y = f(x), f named by the case; relu'(0) = 0."""
    return c.backward(ACTIVATIONS[c.name.rsplit("_", 1)[0]](c["x"]))


@family("x dy")
def softmax(c):
    """y = exp(x - max) / sum(exp(x - max)) along attr.dim."""
    return c.backward(F.softmax(c["x"], int(c.attr["dim"])))


def feed_forward(c, x, act):
    return F.linear(ACTIVATIONS[act](F.linear(x, c["w1"], c["b1"])), c["w2"], c["b2"])


@family("x w1 b1 w2 b2 dy")
def ffn(c):
    """y = f(x w1^T + b1) w2^T + b2, f named by the case."""
    return c.backward(feed_forward(c, c["x"], c.name))


def gated(c, x, act):
    return F.linear(ACTIVATIONS[act](F.linear(x, c["w_gate"])) * F.linear(x, c["w_up"]), c["w_down"])


@family("x w_gate w_up w_down dy")
def glu(c):
    """y = (f(x w_gate^T) * (x w_up^T)) w_down^T; f: glu sigmoid, bilinear none, reglu relu, geglu
    gelu_erf, swiglu silu."""
    kinds = {"glu": "sigmoid", "bilinear": "identity", "reglu": "relu", "geglu": "gelu_erf", "swiglu": "silu"}
    return c.backward(gated(c, c["x"], kinds[c.name]))


# ---- embeddings, attention, block ----


@family("tokens wte wpe dy")
def embedding(c):
    """y[b,t] = wte[tokens[b,t]] + wpe[pos0 + t]; the row padding_idx (-1: none) gets no gradient, its
    value is used."""
    padding, pos0 = int(c.attr["padding_idx"]), int(c.attr["pos0"])
    tokens = F.embedding(c["tokens"], c["wte"], padding_idx=padding if padding >= 0 else None)
    return c.backward(tokens + c["wpe"][pos0 : pos0 + c["tokens"].shape[1]])


def sinusoids(rows, width):
    frequency = 10000 ** -(torch.arange(0, width, 2).double() / width)
    angle = torch.arange(rows).double()[:, None] * frequency
    y = torch.empty(rows, width, dtype=torch.float64)
    y[:, 0::2] = angle.sin()
    y[:, 1::2] = angle.cos()[:, : width // 2]
    return y


@family("")
def sinusoidal(c):
    """y[p,2i] = sin(p / 10000^(2i/d)); y[p,2i+1] = cos(the same)."""
    return {"y": sinusoids(int(c.attr["n"]), int(c.attr["d"]))}


def attend(q, k, v, allowed):
    """softmax(q k^T / sqrt(head size)) v over [B, H, T, hd]; allowed [.., T, T] says who may look at whom."""
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    att = F.softmax(scores.masked_fill(~allowed, -math.inf), -1)
    return att @ v, att


def split_heads(x, n_head):
    return x.view(*x.shape[:-1], n_head, -1).transpose(1, 2)


def self_attention(c, x, causal=True):
    B, T, C = x.shape
    qkv = F.linear(x, c["w_qkv"], c["b_qkv"]).split(C, -1)
    q, k, v = (split_heads(part, int(c.attr["n_head"])) for part in qkv)
    allowed = torch.ones(T, T).tril().bool() if causal else torch.ones(T, T).bool()
    mixed, att = attend(q, k, v, allowed)
    y = F.linear(mixed.transpose(1, 2).reshape(B, T, C), c["w_o"], c["b_o"])
    return y, dict(att=att, q=q, k=k, v=v)


@family("x w_qkv b_qkv w_o b_o dy")
def attention(c):
    """q, k, v = x w_qkv^T + b_qkv cut in three, each in heads [B, H, T, C/H]; att = softmax(q k^T /
    sqrt(C/H)) under the causal mask (attr.causal); y = (att v, heads joined) w_o^T + b_o."""
    y, inner = self_attention(c, c["x"], bool(c.attr["causal"]))
    return c.backward(y, **inner)


@family("x w_qkv b_qkv w_o b_o w1 b1 w2 b2 w_gate w_up w_down ln1_w ln1_b ln2_w ln2_b n1_w n2_w "
        "alpha1 alpha2 dy")
def block(c):
    """a = attention, f = ffn. preln: x += a(ln1(x)); x += f(ln2(x)). postln: x = ln1(x + a(x)); x = ln2(x
    + f(x)). rezero: x += alpha1 a(x); x += alpha2 f(x). rms_swiglu: preln with rmsnorm and swiglu.
    Causal; f is relu, in preln gelu_tanh."""

    def norm(i, x):
        if c.name == "rms_swiglu":
            return rms_norm(x, c[f"n{i}_w"], c.attr["eps"])
        return layer_norm(x, c[f"ln{i}_w"], c[f"ln{i}_b"], c.attr["eps"])

    def att(x):
        return self_attention(c, x)[0]

    def ff(x):
        if c.name == "rms_swiglu":
            return gated(c, x, "silu")
        return feed_forward(c, x, "gelu_tanh" if c.name == "preln" else "relu")

    x = c["x"]
    if c.name == "postln":
        x = norm(1, x + att(x))
        y = norm(2, x + ff(x))
    elif c.name.startswith("rezero"):
        x = x + c["alpha1"] * att(x)
        y = x + c["alpha2"] * ff(x)
    else:
        x = x + att(norm(1, x))
        y = x + ff(norm(2, x))
    return c.backward(y)


# ---- loss and optimizers ----


@family("logits targets")
def cross_entropy(c):
    """mean over the targets that are not ignore_index of -log(softmax(logits))[target]; dlogits is the
    gradient of the loss."""
    loss = F.cross_entropy(c["logits"], c["targets"], ignore_index=int(c.attr["ignore_index"]))
    return {"loss": loss[None], "dlogits": torch.autograd.grad(loss, c["logits"])[0]}


@family("policy_chosen policy_rejected reference_chosen reference_rejected")
def dpo(c):
    """mean over the pairs of -log sigmoid(attr.beta * ((policy_chosen - reference_chosen) - (policy_rejected -
    reference_rejected))); dchosen and drejected are its gradients with respect to the policy's."""
    margin = c["policy_chosen"] - c["reference_chosen"] - (c["policy_rejected"] - c["reference_rejected"])
    loss = -F.logsigmoid(c.attr["beta"] * margin).mean()
    dchosen, drejected = torch.autograd.grad(loss, [c["policy_chosen"], c["policy_rejected"]])
    return {"loss": loss[None], "dchosen": dchosen, "drejected": drejected}


@family("rewards")
def group_advantage(c):
    """(reward - mean) / std in each row, the variance divided by the row's size; 0 where a row is equal."""
    r = c["rewards"]
    std = r.std(-1, unbiased=False, keepdim=True)
    return {"advantages": torch.where(std > 0, (r - r.mean(-1, keepdim=True)) / std, torch.zeros_like(r))}


@family("p0 g1 g2 g3")
def adamw(c):
    """t = 1, 2, 3: p *= 1 - lr wd; m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g^2; p -= lr (m / (1 -
    b1^t)) / (sqrt(v / (1 - b2^t)) + eps)."""
    p, a = torch.nn.Parameter(c["p0"].detach().clone()), c.attr
    optimizer = torch.optim.AdamW([p], a["lr"], (a["beta1"], a["beta2"]), a["eps"], a["weight_decay"])
    out = {}
    for t in (1, 2, 3):
        p.grad = c[f"g{t}"].detach()
        optimizer.step()
        out[f"p{t}"] = p.detach().clone()
        out[f"m{t}"], out[f"v{t}"] = (optimizer.state[p][k].clone() for k in ("exp_avg", "exp_avg_sq"))
    return out


@family("g0 g1 g2")
def clip(c):
    """total_norm = sqrt(sum of all g^2); clipped = g * min(1, max_norm / (total_norm + 1e-6))."""
    parameters = [torch.nn.Parameter(torch.zeros_like(c[g])) for g in ("g0", "g1", "g2")]
    for i, p in enumerate(parameters):
        p.grad = c[f"g{i}"].detach().clone()
    total = torch.nn.utils.clip_grad_norm_(parameters, c.attr["max_norm"])
    return {"total_norm": total[None], **{f"clipped{i}": p.grad for i, p in enumerate(parameters)}}


def fresh(case_name, key, array, rng):
    """New numbers of the same kind: rows keep their mean and spread, so that a constant row stays constant,
    an offset an offset and tiny numbers tiny. Tokens are shuffled; grids and scalars stay."""
    if key.startswith("attr.") or array.ndim == 0 or case_name.endswith("_grid"):
        return array
    if array.dtype.kind != "f":
        return rng.permutation(array.ravel()).reshape(array.shape)
    finite = np.where(np.isfinite(array), array, 0.0)
    drawn = finite.mean(-1, keepdims=True) + finite.std(-1, keepdims=True) * rng.standard_normal(array.shape)
    drawn = np.abs(drawn) + 0.01 if "var" in key else drawn
    return np.where(np.isfinite(array), drawn.astype(np.float32).astype(np.float64), array)
