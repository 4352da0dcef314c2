import { z } from "zod";
import { onOff, type SettingDeclarations, type SettingsOf, seconds } from "../../platform/core/settings.ts";

/** The settings of the memory, disk space and time that models may use on this machine. */
export const modelHostSettings = {
  place: {
    env: "FEATHER_MODEL_HOST",
    doc: "Where the models that all share run: local (on this machine), or kubernetes (as pods of the cluster that FEATHER_KUBERNETES names, with FEATHER_KUBERNETES_ENGINE_IMAGE); see /docs/kubernetes. Private models run there too if FEATHER_KUBERNETES_SERVER_URL is set, otherwise on this machine.",
    schema: z.enum(["local", "kubernetes"]),
    default: "local",
  },
  maxPods: {
    env: "FEATHER_MODEL_PODS",
    doc: "With FEATHER_MODEL_HOST=kubernetes, the most pods of each model; more than one run while many calls are answered.",
    schema: z.coerce.number().int().min(1).max(100),
    default: "1",
  },
  memoryMegabytes: {
    env: "FEATHER_MODEL_MEMORY",
    doc: "Megabytes of memory that models may take on this machine; by default 60 % of what it has.",
    schema: z.coerce.number().int().min(256).max(100_000_000).optional(),
    default: undefined,
    editable: true,
  },
  gpuMegabytes: {
    env: "FEATHER_GPU_MEMORY",
    doc: "Megabytes of GPU memory that models may take: with vLLM or SGLang, by default 90 % of what the first graphics card has, otherwise with llama.cpp, by default 90 % of what all cards have.",
    schema: z.coerce.number().int().min(256).max(100_000_000).optional(),
    default: undefined,
  },
  maxStoreGigabytes: {
    env: "FEATHER_STORE_MAX",
    doc: "Gigabytes that downloaded models may take on the disk. The least recently called ones are deleted to make room for a new one, but none that is loaded, pinned, deployed or private. By default no limit.",
    schema: z.coerce.number().positive().max(1_000_000).optional(),
    default: undefined,
    editable: true,
  },
  idleSeconds: {
    env: "FEATHER_MODEL_IDLE",
    doc: "Seconds without a call after which a model is unloaded.",
    schema: seconds,
    default: "900",
    editable: true,
  },
  preload: {
    env: "FEATHER_PRELOAD",
    doc: "Whether the two models of the installation are loaded at start and stay loaded; off loads them when they are called, as others. With FEATHER_MODEL_HOST=kubernetes they are always off, since each would keep a pod.",
    schema: onOff,
    default: "on",
    editable: true,
  },
  contextTokens: {
    env: "FEATHER_MODEL_CONTEXT",
    doc: "The most tokens of context that pulled and private models get here; longer ones take more memory. The two models of the installation keep theirs: 2,048 tokens for `feather/demo`, 1,024 for `feather/guide`.",
    schema: z.coerce.number().int().min(256).max(1_048_576),
    default: "8192",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of models that run on this machine. */
export type ModelHostSettings = SettingsOf<typeof modelHostSettings>;
