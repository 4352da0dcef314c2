import { invalidEngineArg, readWholeNumber, unknownEngineArg } from "../engine-args.ts";
import type { DeploymentSpec } from "../provider.ts";

type Value = string | number | boolean;
/** Returns the command line arguments for an option. Throws `invalid_request`. */
type ReadOption = (name: string, value: Value) => string[];

const flagOf = (name: string) => `--${name.replaceAll("_", "-")}`;

const wholeNumber =
  (min: number, max: number): ReadOption =>
  (name, value) => [flagOf(name), String(readWholeNumber(name, value, min, max))];

const share: ReadOption = (name, value) => {
  if (typeof value !== "number" || value < 0.1 || value > 0.98)
    throw invalidEngineArg(`${name} is a number from 0.1 to 0.98.`);
  return [flagOf(name), String(value)];
};

const word: ReadOption = (name, value) => {
  if (typeof value !== "string" || !/^[a-z0-9][a-z0-9_.-]{0,63}$/i.test(value))
    throw invalidEngineArg(`${name} is a word of letters, digits, hyphens, dots and underscores.`);
  return [flagOf(name), value];
};

const oneOf =
  (...values: readonly string[]): ReadOption =>
  (name, value) => {
    if (!values.includes(String(value))) throw invalidEngineArg(`${name} is one of ${values.join(", ")}.`);
    return [flagOf(name), String(value)];
  };

const toggle: ReadOption = (name, value) => {
  if (typeof value !== "boolean") throw invalidEngineArg(`${name} is true or false.`);
  return [value ? flagOf(name) : flagOf(`no_${name}`)];
};

/** Options of vLLM that the owner of a deployment may set. None of them runs code of a model or reads files. */
const OPTIONS: Readonly<Record<string, ReadOption>> = {
  max_model_len: wholeNumber(256, 10_000_000),
  max_num_seqs: wholeNumber(1, 4_096),
  max_num_batched_tokens: wholeNumber(256, 10_000_000),
  gpu_memory_utilization: share,
  dtype: oneOf("auto", "half", "float16", "bfloat16", "float", "float32"),
  kv_cache_dtype: oneOf("auto", "fp8", "fp8_e4m3", "fp8_e5m2"),
  quantization: word,
  tool_call_parser: (name, value) => ["--enable-auto-tool-choice", ...word(name, value)],
  reasoning_parser: word,
  enforce_eager: toggle,
  enable_prefix_caching: toggle,
};

/** Returns the command line options of vLLM for `engine_args`. Throws `invalid_request`. */
export function parseVllmArgs(engineArgs: DeploymentSpec["engineArgs"]): string[] {
  return Object.entries(engineArgs).flatMap(([name, value]) => {
    const read = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (!read) throw unknownEngineArg(name, Object.keys(OPTIONS));
    return read(name, value);
  });
}
