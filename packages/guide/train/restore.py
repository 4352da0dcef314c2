"""Makes a run folder from a GGUF file that export.py wrote, so that training can go on where no checkpoint is left."""

import argparse
from pathlib import Path

import gguf
import torch
from export import SHARPNESS
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from train import make_optimizers
from transformer import Guide, Shape
from vocabulary import CONTROL_TOKENS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=Path(__file__).parent.parent / "guide.gguf")
    parser.add_argument("--run", type=Path, required=True, help="folder for train.py --resume")
    parser.add_argument("--step", type=int, required=True, help="where train.py goes on; its --steps says how far")
    parser.add_argument("--rate", type=float, default=0.02)
    args = parser.parse_args()
    args.run.mkdir(parents=True, exist_ok=True)
    reader = gguf.GGUFReader(args.model)
    tokenizer = read_tokenizer(reader)
    tokenizer.save(str(args.run / "tokenizer.json"))
    guide = Guide(Shape(vocabulary=tokenizer.get_vocab_size()))
    weights = {tensor.name: torch.from_numpy(tensor.data.copy()).float() for tensor in reader.tensors}
    weights["output_norm.weight"] /= SHARPNESS
    guide.load_state_dict(weights)
    optimizers = [each.state_dict() for each in make_optimizers(guide, args.rate)]
    state = {"step": args.step, "guide": guide.state_dict(), "optimizers": optimizers}
    torch.save(state, args.run / "checkpoint.pt")


def read_tokenizer(reader: gguf.GGUFReader) -> Tokenizer:
    tokens = reader.fields["tokenizer.ggml.tokens"].contents()
    merges = reader.fields["tokenizer.ggml.merges"].contents()
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, [tuple(merge.split(" ")) for merge in merges]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in CONTROL_TOKENS])
    return tokenizer


if __name__ == "__main__":
    main()
