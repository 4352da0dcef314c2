import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The settings of the processes that run models. */
export const engineSettings = {
  sandbox: {
    env: "FEATHER_ENGINE_SANDBOX",
    doc: "Whether processes that run models are kept in a sandbox by bubblewrap (bwrap), on Linux: auto where it is installed and works, on to refuse to start without it, off never.",
    schema: z.enum(["auto", "on", "off"]),
    default: "auto",
  },
  gpu: {
    env: "FEATHER_GPU",
    doc: "How models in GGUF files use a graphics card: cuda, vulkan or metal, auto for what works here, off for the processor alone. With auto, a card that vLLM uses is left to it. The set-up reads it too, from feather.config.yaml only if it stands on a line of its own, and downloads what it needs where it finds a card.",
    schema: z.enum(["auto", "off", "cuda", "vulkan", "metal"]),
    default: "auto",
  },
  llamaServer: {
    env: "FEATHER_LLAMA_SERVER",
    doc: "The command of llama.cpp's llama-server, as a name or a path, with which models in GGUF files run that the engine cannot run: those that read images, those that rank texts, and those of an architecture that only it knows; off to never use it. By default llama-server, where there is such a command.",
    schema: z.string().min(1).optional(),
    default: undefined,
  },
  vllm: {
    env: "FEATHER_VLLM",
    doc: "The command of vLLM, as a name or a path, with which models in safetensors files run on a graphics card; off to never use it. By default vllm, where there is such a command.",
    schema: z.string().min(1).optional(),
    default: undefined,
  },
  sglang: {
    env: "FEATHER_SGLANG",
    doc: "The command of SGLang, as a name or a path, with which models in safetensors files run on a graphics card that vLLM does not use; off to never use it. By default sglang, where there is such a command.",
    schema: z.string().min(1).optional(),
    default: undefined,
  },
  ggufConverter: {
    env: "FEATHER_GGUF_CONVERTER",
    doc: "The path of llama.cpp's convert_hf_to_gguf.py, which python3 on the path runs, or a command with it, such as /opt/venv/bin/python /opt/llama.cpp/convert_hf_to_gguf.py. With it, models in safetensors files are converted to GGUF files after their download, where the hub has no GGUF file of them. By default nothing is converted.",
    schema: z.string().trim().min(1).max(1_000).optional(),
    default: undefined,
  },
} as const satisfies SettingDeclarations;

/** The settings of engines. */
export type EngineSettings = SettingsOf<typeof engineSettings>;
