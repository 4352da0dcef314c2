import { z } from "zod";

/** An amount as Kubernetes writes it, such as `500m`, `4` or `16Gi`. */
const quantity = z.string().regex(/^\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$/, "must be an amount such as 500m, 4 or 16Gi");
const labels = z.record(z.string().min(1).max(317), z.string().max(63));

const toleration = z.strictObject({
  key: z.string().min(1).max(317).optional(),
  operator: z.enum(["Exists", "Equal"]).default("Equal"),
  value: z.string().max(63).optional(),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
});

/** The schema of one kind of machine in a cluster, as the operator writes it. */
export const hardwareSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be up to 40 small letters, digits and hyphens"),
  runtime: z.enum(["vllm", "engine"]).optional(),
  gpu: z.string().min(1).max(80).nullable().default(null),
  gpu_count: z.number().int().min(0).max(64).default(0),
  gpu_resource: z.string().min(3).max(317).default("nvidia.com/gpu"),
  vram_gb: z.number().min(0).max(100_000).default(0),
  cpu: quantity.default("2"),
  memory: quantity.default("4Gi"),
  shared_memory: quantity.default("2Gi"),
  node_selector: labels.default({}),
  tolerations: z.array(toleration).max(20).default([]),
  hourly_nano_usd: z
    .string()
    .regex(/^\d{1,30}$/)
    .default("0"),
});

/** The program that serves a model in a pod. */
export type PodRuntime = "vllm" | "engine";

/** One kind of machine in a cluster: what a replica requests there, and on which nodes. */
export type Hardware = z.infer<typeof hardwareSchema>;

/** Returns the program that replicas on this hardware run: vLLM where there is a GPU, unless the row names one. */
export function runtimeOf({ runtime, gpu_count }: Hardware): PodRuntime {
  return runtime ?? (gpu_count > 0 ? "vllm" : "engine");
}
