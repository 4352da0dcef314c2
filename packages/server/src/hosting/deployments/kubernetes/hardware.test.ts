import { expect, test } from "vitest";
import { gpusOf, hardwareSchema } from "./hardware.ts";

test("a replica has the GPUs of all its nodes", () => {
  const row = hardwareSchema.parse({ id: "large", gpu: "H100", gpu_count: 8, vram_gb: 640, nodes: 2 });
  expect(gpusOf(row)).toEqual({ gpu_count: 16, vram_gb: 1280 });
  expect(hardwareSchema.parse({ id: "cpu" }).nodes).toBe(1);
});

test.each([
  ["without a GPU", { nodes: 2 }, /several nodes need vLLM/],
  ["with the engine", { nodes: 2, gpu_count: 1, runtime: "engine" }, /several nodes need vLLM/],
  ["more than 32", { nodes: 33, gpu_count: 1 }, /33|32/],
  ["none", { nodes: 0, gpu_count: 1 }, /1/],
  ["a part of one", { nodes: 1.5, gpu_count: 1 }, /int/],
])("rejects the number of nodes of a hardware type: %s", (_name, fields, message) => {
  const { success, error } = hardwareSchema.safeParse({ id: "large", ...fields });
  expect(success).toBe(false);
  expect(error?.message).toMatch(message);
});
