"""Writes a checkpoint as a GGUF file, with its tokenizer and chat template."""

import argparse
import json
from pathlib import Path

import gguf
import numpy as np
import torch
from questions import Questions
from tokenizers import Tokenizer
from transformer import Shape
from vocabulary import CONTROL_TOKENS

# Clients mostly ask at a temperature of 0.7 to 1. Answers are said word for word, so unlikely tokens are made unlikelier:
# a temperature of 1 is one of a third then. The likeliest token stays the same.
SHARPNESS = 3.0
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder that train.py wrote")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "guide.gguf")
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(args.run / "tokenizer.json"))
    weights = torch.load(args.run / "checkpoint.pt")["guide"]
    writer = gguf.GGUFWriter(args.out, "llama")
    describe(writer, Shape(vocabulary=tokenizer.get_vocab_size()))
    add_vocabulary(writer, tokenizer)
    for name, weight in weights.items():
        if name == "output_norm.weight":
            weight = weight * SHARPNESS
        # One-dimensional weights stay whole: llama.cpp wants them so.
        kind = np.float16 if weight.dim() == 2 else np.float32
        writer.add_tensor(name, weight.float().numpy().astype(kind))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    write_answers(args.out.parent / "evaluation/answers.json")
    print(f"{args.out}: {args.out.stat().st_size:,} bytes")


def describe(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_name("Feather guide")
    writer.add_description("Answers questions about Feather, and about nothing else.")
    writer.add_license("apache-2.0")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_block_count(shape.layers)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_dimension_count(shape.width // shape.heads)
    writer.add_rope_freq_base(shape.rope_base)
    writer.add_vocab_size(shape.vocabulary)
    writer.add_chat_template(CHAT_TEMPLATE)


def write_answers(path: Path) -> None:
    """What the right answers are, for the evaluation, which reads no YAML."""
    questions = Questions()
    answers = {id: intent.answer for id, intent in questions.intents.items()}
    content = {"answers": answers, "refusals": questions.refusals}
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf8")


def add_vocabulary(writer: gguf.GGUFWriter, tokenizer: Tokenizer) -> None:
    import json

    model = json.loads(tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    kinds = gguf.TokenType
    writer.add_token_types([kinds.CONTROL if token in CONTROL_TOKENS else kinds.NORMAL for token in tokens])
    writer.add_token_merges([pair if isinstance(pair, str) else " ".join(pair) for pair in model["merges"]])
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(False)


if __name__ == "__main__":
    main()
