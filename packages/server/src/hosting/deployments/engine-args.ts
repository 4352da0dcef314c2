import { errors } from "../../platform/core/errors/index.ts";
import type { DeploymentSpec } from "./provider.ts";

/**
 * Options of the engine: tokens of context, number of sequences and number of threads. Without one, the engine's default is
 * used.
 */
export type EngineSizes = { contextLength?: number; sequences?: number; threads?: number };

type EngineArgs = DeploymentSpec["engineArgs"];

const LIMITS = { context: [256, 1_048_576], sequences: [1, 64], threads: [1, 256] } as const;

/** Reads the options of the engine. Throws `invalid_request` for unknown options and invalid values. */
export function parseEngineArgs(engineArgs: EngineArgs): EngineSizes {
  const sizes: Record<string, number> = {};
  for (const [name, value] of Object.entries(engineArgs)) {
    if (!Object.hasOwn(LIMITS, name)) throw unknownEngineArg(name, Object.keys(LIMITS));
    const [min, max] = LIMITS[name as keyof typeof LIMITS];
    sizes[name] = readWholeNumber(name, value, min, max);
  }
  const { context, sequences, threads } = sizes;
  return {
    ...(context !== undefined && { contextLength: context }),
    ...(sequences !== undefined && { sequences }),
    ...(threads !== undefined && { threads }),
  };
}

/** Returns a value as a whole number between bounds. Throws `invalid_request`. */
export function readWholeNumber(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max)
    throw invalidEngineArg(`${name} is a whole number from ${min} to ${max}.`);
  return value;
}

/** Returns `invalid_request` for an unknown option. The message lists the known ones. */
export function unknownEngineArg(name: string, known: readonly string[]) {
  return invalidEngineArg(`${name} is not known here. Known: ${known.join(", ")}.`);
}

/** Returns `invalid_request` for `engine_args`. */
export function invalidEngineArg(message: string) {
  return errors.invalidRequest(`engine_args is not valid: ${message}`, { param: "engine_args" });
}
