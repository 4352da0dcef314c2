import { z } from "zod";

/** A quantity in the notation of Kubernetes, such as `500m`, `4` or `16Gi`. */
const quantity = z.string().regex(/^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/, "must be an amount such as 500m, 4 or 16Gi");
const labels = z.record(z.string().min(1).max(317), z.string().max(63));

const toleration = z.strictObject({
  key: z.string().min(1).max(317).optional(),
  operator: z.enum(["Exists", "Equal"]).default("Equal"),
  value: z.string().max(63).optional(),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
});

/** Maximum number of nodes per replica. */
const MAX_NODES = 32;

/** The schema of one hardware type in the operator's settings. */
export const hardwareSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be up to 40 small letters, digits and hyphens"),
    runtime: z.enum(["vllm", "engine"]).optional(),
    gpu: z.string().min(1).max(80).nullable().default(null),
    gpu_count: z.number().int().min(0).max(64).default(0),
    gpu_resource: z.string().min(3).max(317).default("nvidia.com/gpu"),
    vram_gb: z.number().min(0).max(100_000).default(0),
    nodes: z.number().int().min(1).max(MAX_NODES).default(1),
    cpu: quantity.default("2"),
    memory: quantity.default("4Gi"),
    shared_memory: quantity.default("2Gi"),
    node_selector: labels.default({}),
    tolerations: z.array(toleration).max(20).default([]),
    hourly_nano_usd: z
      .string()
      .regex(/^\d{1,30}$/)
      .default("0"),
  })
  .refine(({ nodes, gpu_count, runtime }) => nodes === 1 || (gpu_count > 0 && runtime !== "engine"), {
    path: ["nodes"],
    message: "several nodes need vLLM, and gpu_count: at least one GPU on each node",
  });

/** The program that serves a model in a pod. */
export type PodRuntime = "vllm" | "engine";

/** A hardware type: the resources that a replica requests, and the nodes that it runs on. */
export type Hardware = z.infer<typeof hardwareSchema>;

/** Returns the program that replicas on this hardware run: `runtime` if it is set, otherwise vLLM if there is a GPU. */
export function runtimeOf({ runtime, gpu_count }: Hardware): PodRuntime {
  return runtime ?? (gpu_count > 0 ? "vllm" : "engine");
}

/** Returns the number of GPUs of a replica and their memory in GB, each summed over all its nodes. */
export function gpusOf({ gpu_count, vram_gb, nodes }: Hardware): { gpu_count: number; vram_gb: number } {
  return { gpu_count: nodes * gpu_count, vram_gb: nodes * vram_gb };
}
