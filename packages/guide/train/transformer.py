"""A small LLaMA. Its rotary embedding turns neighbouring pairs, as llama.cpp does for this architecture."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    vocabulary: int
    width: int = 256
    layers: int = 4
    heads: int = 4
    feed_forward: int = 704
    epsilon: float = 1e-5
    rope_base: float = 10_000.0
    context: int = 1024
    dropout: float = 0.08


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        width = shape.width
        self.attn_norm = nn.RMSNorm(width, eps=shape.epsilon)
        self.attn_q = nn.Linear(width, width, bias=False)
        self.attn_k = nn.Linear(width, width, bias=False)
        self.attn_v = nn.Linear(width, width, bias=False)
        self.attn_output = nn.Linear(width, width, bias=False)
        self.ffn_norm = nn.RMSNorm(width, eps=shape.epsilon)
        self.ffn_gate = nn.Linear(width, shape.feed_forward, bias=False)
        self.ffn_up = nn.Linear(width, shape.feed_forward, bias=False)
        self.ffn_down = nn.Linear(shape.feed_forward, width, bias=False)

    def forward(self, x: Tensor, turn: Tensor, mask: Tensor) -> Tensor:
        drop = self.shape.dropout
        y = self.attn_norm(x)
        q, k, v = (self._heads(linear(y)) for linear in (self.attn_q, self.attn_k, self.attn_v))
        y = F.scaled_dot_product_attention(rotate(q, turn), rotate(k, turn), v, attn_mask=mask)
        y = self.attn_output(y.transpose(1, 2).flatten(2))
        x = x + F.dropout(y, drop, self.training)
        y = self.ffn_norm(x)
        y = self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))
        return x + F.dropout(y, drop, self.training)

    def _heads(self, x: Tensor) -> Tensor:
        return x.unflatten(2, (self.shape.heads, -1)).transpose(1, 2)


class Guide(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.vocabulary, shape.width)
        self.blk = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.output_norm = nn.RMSNorm(shape.width, eps=shape.epsilon)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                small = name.endswith(("attn_output.weight", "ffn_down.weight"))
                nn.init.normal_(weight, std=0.02 / (2 * shape.layers) ** 0.5 if small else 0.02)

    def forward(self, tokens: Tensor, mask: Tensor, wanted: Tensor | None = None) -> Tensor:
        """Logits of all places, or of the wanted ones."""
        turn = turns(tokens.shape[1], self.shape)
        x = self.token_embd(tokens)
        for layer in self.blk:
            x = layer(x, turn, mask)
        x = self.output_norm(x if wanted is None else x[wanted])
        return F.linear(x, self.token_embd.weight)


def turns(length: int, shape: Shape) -> Tensor:
    half = shape.width // shape.heads // 2
    speed = shape.rope_base ** (-torch.arange(half, dtype=torch.float32) / half)
    angle = torch.arange(length, dtype=torch.float32)[:, None] * speed
    return torch.stack([angle.cos(), angle.sin()], -1)


def rotate(x: Tensor, turn: Tensor) -> Tensor:
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    cos, sin = turn[..., 0].to(x.dtype), turn[..., 1].to(x.dtype)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)
