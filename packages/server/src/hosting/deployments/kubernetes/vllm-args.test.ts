import { describe, expect, test } from "vitest";
import type { DeploymentSpec } from "../provider.ts";
import { parseVllmArgs } from "./vllm-args.ts";

describe("the options of vLLM", () => {
  test.each<[DeploymentSpec["engineArgs"], string[]]>([
    [{}, []],
    [{ max_model_len: 256 }, ["--max-model-len", "256"]],
    [{ max_model_len: 10_000_000 }, ["--max-model-len", "10000000"]],
    [{ gpu_memory_utilization: 0.1 }, ["--gpu-memory-utilization", "0.1"]],
    [{ dtype: "bfloat16" }, ["--dtype", "bfloat16"]],
    [{ kv_cache_dtype: "fp8_e4m3" }, ["--kv-cache-dtype", "fp8_e4m3"]],
    [{ quantization: "awq_marlin" }, ["--quantization", "awq_marlin"]],
    [{ tool_call_parser: "hermes" }, ["--enable-auto-tool-choice", "--tool-call-parser", "hermes"]],
    [{ enforce_eager: true }, ["--enforce-eager"]],
    [{ enable_prefix_caching: false }, ["--no-enable-prefix-caching"]],
    [{ max_num_seqs: 8, reasoning_parser: "qwen3" }, ["--max-num-seqs", "8", "--reasoning-parser", "qwen3"]],
  ])("the options %j become arguments", (options, expected) => {
    expect(parseVllmArgs(options)).toEqual(expected);
  });

  test.each<[string, DeploymentSpec["engineArgs"], string]>([
    ["too short a context", { max_model_len: 255 }, "max_model_len is a whole number from 256 to 10000000"],
    ["half a sequence", { max_num_seqs: 1.5 }, "max_num_seqs is a whole number"],
    ["a number as text", { max_num_seqs: "8" }, "max_num_seqs is a whole number"],
    ["more than the whole card", { gpu_memory_utilization: 1 }, "gpu_memory_utilization is a number from 0.1 to 0.98"],
    ["a type that does not exist", { dtype: "int4" }, "dtype is one of auto, half"],
    ["a switch as text", { enforce_eager: "true" }, "enforce_eager is true or false"],
    ["a second option in a word", { quantization: "awq --trust-remote-code" }, "quantization is a word"],
    ["an option as a word", { quantization: "--trust-remote-code" }, "quantization is a word"],
    ["a path", { reasoning_parser: "../parser.py" }, "reasoning_parser is a word"],
    ["an empty word", { tool_call_parser: "" }, "tool_call_parser is a word"],
    ["an option that runs code of a model", { trust_remote_code: true }, "trust_remote_code is not known here"],
    ["an option in its spelling for the command line", { "max-model-len": 512 }, "max-model-len is not known here"],
  ])("refuses %s, and says why", (_what, options, message) => {
    expect(() => parseVllmArgs(options)).toThrow(`engine_args is not valid: ${message}`);
  });

  test.each(["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"])(
    "refuses the option %s, which all objects have, as an unknown one",
    (name) => {
      const options = JSON.parse(`{"${name}":"x"}`) as DeploymentSpec["engineArgs"];
      expect(() => parseVllmArgs(options)).toThrow(`${name} is not known here. Known: max_model_len`);
    },
  );
});
