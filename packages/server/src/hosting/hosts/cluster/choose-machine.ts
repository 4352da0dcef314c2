import type { Hardware } from "../../deployments/index.ts";
import { gpusOf, podRuntimeOf } from "../../deployments/index.ts";
import {
  chooseEngineSize,
  type EngineSize,
  type HostedModel,
  mapRuntimes,
  programOf,
  type RuntimeLimits,
} from "../../runtimes/index.ts";

/** A kind of machine for a model, and how the model runs there. */
export type Machine = { id: string; size: EngineSize };

const BYTES_PER_UNIT: Readonly<Record<string, number>> = {
  m: 0.001,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
};
const QUANTITY = /^([\d.]+)(\D*)$/;
const BYTES_PER_GIGABYTE = 1e9;
/** Share of a machine's memory that a model may take; the rest is for what else the program needs. */
const MODEL_SHARE = 0.9;

/** Returns the first kind of machine on which the model runs, in the operator's order; null if it fits on none. */
export function chooseMachine(hardware: readonly Hardware[], model: HostedModel): Machine | null {
  const program = programOf(model);
  for (const row of hardware) {
    const size = podRuntimeOf(row) === program ? chooseEngineSize(model, memoryOf(row)) : null;
    if (size) return { id: row.id, size };
  }
  return null;
}

/** Returns the memory of the largest kind of machine for each program, in bytes. */
export function limitsOf(hardware: readonly Hardware[]): RuntimeLimits {
  return mapRuntimes(({ program, title, memory }) => {
    const rows = hardware.filter((row) => podRuntimeOf(row) === program);
    const budget = Math.max(0, ...rows.map(memoryOf));
    // The engine is part of each installation, so a missing kind of machine shows as missing memory.
    if (budget > 0 || program === "engine")
      return { memory: { budget }, memoryName: memory === "machine" ? "memory" : "GPU memory" };
    return { unavailable: `No kind of machine in FEATHER_KUBERNETES_HARDWARE runs ${title}.` };
  });
}

/** Returns the bytes that a model may take: of the GPUs of a replica, where it has some, otherwise of its memory. */
function memoryOf(row: Hardware): number {
  const bytes = row.gpu_count > 0 ? gpusOf(row).vram_gb * BYTES_PER_GIGABYTE : toBytes(row.memory);
  return Math.floor(bytes * MODEL_SHARE);
}

/** Returns an amount of Kubernetes, such as `16Gi`, in bytes. */
function toBytes(quantity: string): number {
  const [, number = "0", unit = ""] = QUANTITY.exec(quantity) ?? [];
  return Number(number) * (BYTES_PER_UNIT[unit] ?? 1);
}
