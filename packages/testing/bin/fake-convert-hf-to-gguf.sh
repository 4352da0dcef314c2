#!/bin/sh
# A stand-in for llama.cpp's convert_hf_to_gguf.py, written from its source: its options, what it writes to stderr by Python's
# logging and tqdm, and its exit codes. It converts nothing: the first file with weights, which must be a GGUF file, is copied.
# src/fake-converter.ts lists its faults.
set -eu
if [ "${1-}" = "--without-torch" ]; then
  echo 'Traceback (most recent call last):' >&2
  echo '  File "/opt/llama.cpp/convert_hf_to_gguf.py", line 12, in <module>' >&2
  echo '    import torch' >&2
  echo "ModuleNotFoundError: No module named 'torch'" >&2
  exit 1
fi
if [ "${1-}" = "--help" ]; then
  echo 'usage: convert_hf_to_gguf.py [-h] [--outfile OUTFILE] [--outtype {f32,f16,bf16,q8_0,tq1_0,tq2_0,auto}] [model]'
  exit 0
fi
model=$1
outfile=
outtype=auto
shift
while [ $# -gt 0 ]; do
  case "$1" in
    --outfile) outfile=$2 ;;
    --outtype) outtype=$2 ;;
    *) echo "convert_hf_to_gguf.py: error: unrecognized arguments: $1" >&2; exit 2 ;;
  esac
  shift 2
done
[ "$outtype" = q8_0 ] || { echo "convert_hf_to_gguf.py: error: this stand-in converts to q8_0 only" >&2; exit 2; }
mode=$(sed -n 's/.*"fake_converter": *"\([a-z_]*\)".*/\1/p' "$model/config.json")
echo "INFO:hf-to-gguf:Loading model: $(basename "$model")" >&2
if [ "$mode" = unsupported ]; then
  echo 'ERROR:hf-to-gguf:Model UnknownForCausalLM is not supported' >&2
  exit 1
fi
if [ "$mode" = writes_nothing ]; then exit 0; fi
# What the environment and the sandbox let it see, for tests.
if [ "$mode" = looks_around ]; then
  { env; echo "data: $(ls "$model/../../../.." 2>&1)"; ls /proc | grep -c '^[0-9]' || true; } >"$outfile"
  exit 0
fi
echo 'INFO:gguf.gguf_writer:Writing the following files:' >&2
printf 'Writing:   0%%|          | 0.00/2.00M [00:00<?, ?byte/s]\r' >&2
head -c 1000 "$(ls "$model"/*.safetensors | head -n 1)" >"$outfile"
printf 'Writing:  50%%|█████     | 1.00M/2.00M [00:00<00:00, 9.31Mbyte/s]\r' >&2
if [ "$mode" = out_of_space ]; then echo 'OSError: [Errno 27] File too large' >&2; exit 1; fi
while [ "$mode" = waits ] && [ ! -e "$(dirname "$outfile")/continue" ]; do sleep 0.05; done
cat "$(ls "$model"/*.safetensors | head -n 1)" >"$outfile"
printf 'Writing: 100%%|██████████| 2.00M/2.00M [00:00<00:00, 9.31Mbyte/s]\n' >&2
echo "INFO:hf-to-gguf:Model successfully exported to $outfile" >&2
