import { expect, test } from "vitest";
import { kubernetesSettings } from "../../deployments/kubernetes/kubernetes.settings.ts";
import { limitsOf } from "./choose-machine.ts";

test("a model may take the memory of all GPUs of a replica, on all its nodes", () => {
  const limitOf = (fields: object) => {
    const rows = [{ id: "cpu" }, { id: "h100", gpu: "H100", gpu_count: 8, vram_gb: 640, ...fields }];
    return limitsOf(kubernetesSettings.hardware.schema.parse(rows)).vllm;
  };
  expect(limitOf({})).toMatchObject({ memory: { budget: 576e9 } });
  expect(limitOf({ nodes: 2 })).toMatchObject({ memory: { budget: 1152e9 } });
});
