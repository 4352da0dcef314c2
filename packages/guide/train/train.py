"""Trains the guide from nothing but our own text. See README.md beside this file.

Several processes of one thread each share a batch: on a busy machine they wait for each other once a step only.
"""

import argparse
import time
from pathlib import Path
from random import Random

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as processes
from conversations import Conversations
from questions import Questions
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F
from transformer import Guide, Shape
from vocabulary import dropping, learn

WARM_UP = 100
# Towards the end every second batch is of long rows, so that the model keeps its way in long conversations.
LONG_ROWS_FROM = 0.9
OFTEN = 10


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=12400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--row-length", type=int, default=256)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--often", default="", help="ids of answers, by commas, that are asked ten times as often")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    vocabulary = args.out / "tokenizer.json"
    if not (args.resume and vocabulary.exists()):
        learn(Questions(), args.seed).save(str(vocabulary))
    meeting = args.out / "meeting"
    meeting.unlink(missing_ok=True)
    processes.spawn(run, (args, str(meeting)), args.processes)


def run(rank: int, args: argparse.Namespace, meeting: str) -> None:
    dist.init_process_group("gloo", f"file://{meeting}", rank=rank, world_size=args.processes)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    questions = Questions()
    questions.emphasize([id for id in args.often.split(",") if id], OFTEN)
    tokenizer = Tokenizer.from_file(str(args.out / "tokenizer.json"))
    guide = Guide(Shape(vocabulary=tokenizer.get_vocab_size()))
    optimizers = make_optimizers(guide, args.rate)
    first = load(args, guide, optimizers) if args.resume else 0
    # From here on each leaves out other parts of the network.
    torch.manual_seed(args.seed * 1000 + rank)
    conversations = Conversations(questions, tokenizer, dropping(tokenizer))
    if rank == 0:
        size = sum(weight.numel() for weight in guide.parameters())
        print(f"{size:,} parameters, {len(questions.ids)} intents", flush=True)
    started, shown = time.time(), 0.0
    for step in range(first, args.steps):
        long = step >= args.steps * LONG_ROWS_FROM and step % 2 == 1
        rows, length = (args.rows // 4, args.row_length * 4) if long else (args.rows, args.row_length)
        rng = Random(f"{args.seed}:{step}:{rank}")
        batch = make_batch(conversations, rows // args.processes, length, 16 if long else 4, rng)
        set_rate(optimizers, step, args.steps)
        loss = train_step(guide, optimizers, *batch)
        shown = loss if step == first else 0.98 * shown + 0.02 * loss
        if rank == 0 and step % 25 == 24:
            took = (time.time() - started) / (step + 1 - first)
            print(f"step {step + 1} loss {shown:.4f} {took:.2f} s/step", flush=True)
        if rank == 0 and (step % 50 == 49 or step == args.steps - 1):
            save(args, guide, optimizers, step + 1)


def make_optimizers(guide: Guide, rate: float) -> list[torch.optim.Optimizer]:
    matrices = [weight for name, weight in guide.named_parameters() if name.startswith("blk") and weight.dim() == 2]
    others = [weight for name, weight in guide.named_parameters() if not (name.startswith("blk") and weight.dim() == 2)]
    made = [
        torch.optim.Muon(matrices, lr=rate, momentum=0.95, weight_decay=0.02),
        torch.optim.AdamW(others, lr=rate / 5, betas=(0.9, 0.95), weight_decay=0.0),
    ]
    for optimizer in made:
        for group in optimizer.param_groups:
            group["full"] = group["lr"]
    return made


def set_rate(optimizers: list[torch.optim.Optimizer], step: int, steps: int) -> None:
    """Warms up, and goes down to nothing."""
    share = min((step + 1) / WARM_UP, 1 - step / steps)
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group["full"] * max(share, 0.01)


def make_batch(
    conversations: Conversations, rows: int, length: int, longest: int, rng: Random
) -> tuple[Tensor, Tensor, Tensor]:
    made = [conversations.row(length + 1, longest, rng) for _ in range(rows)]
    tokens, weights, places = (torch.from_numpy(np.stack(part)) for part in zip(*made))
    # A token is a target only where the one before it belongs to the same conversation.
    weights[:, 1:] *= places[:, 1:] == places[:, :-1]
    inside = places[:, :-1, None] == places[:, None, :-1]
    mask = (inside & torch.ones(length, length, dtype=torch.bool).tril())[:, None]
    return tokens, weights, mask


def train_step(
    guide: Guide, optimizers: list[torch.optim.Optimizer], tokens: Tensor, weights: Tensor, mask: Tensor
) -> float:
    wanted = weights[:, 1:] > 0
    with torch.autocast("cpu", torch.bfloat16):
        logits = guide(tokens[:, :-1], mask, wanted)
    losses = F.cross_entropy(logits.float(), tokens[:, 1:][wanted], reduction="none")
    weight = weights[:, 1:][wanted]
    loss = (losses * weight).sum() / weight.sum()
    loss.backward()
    average(guide)
    torch.nn.utils.clip_grad_norm_(guide.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    answers = weight > 1
    return float(losses.detach()[answers].mean())


def average(guide: Guide) -> None:
    """Gives each process the mean of all gradients."""
    gradients = [weight.grad for weight in guide.parameters() if weight.grad is not None]
    together = torch.cat([gradient.flatten() for gradient in gradients])
    dist.all_reduce(together)
    together /= dist.get_world_size()
    for gradient, part in zip(gradients, together.split([each.numel() for each in gradients])):
        gradient.copy_(part.view_as(gradient))


def save(args: argparse.Namespace, guide: Guide, optimizers: list[torch.optim.Optimizer], step: int) -> None:
    state = {"step": step, "guide": guide.state_dict(), "optimizers": [each.state_dict() for each in optimizers]}
    torch.save(state, args.out / "checkpoint.tmp")
    (args.out / "checkpoint.tmp").replace(args.out / "checkpoint.pt")


def load(args: argparse.Namespace, guide: Guide, optimizers: list[torch.optim.Optimizer]) -> int:
    state = torch.load(args.out / "checkpoint.pt")
    guide.load_state_dict(state["guide"])
    for optimizer, known in zip(optimizers, state["optimizers"]):
        optimizer.load_state_dict(known)
    return state["step"]


if __name__ == "__main__":
    main()
