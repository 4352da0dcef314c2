import { isRecord } from "../reported-usage.ts";

/** Units of a pool that another replica lacks for the request that has waited longest; none when it lacks no more. */
export type ShortageMessage = { pool: string; needed: number; turn: number };

/** Reads a message about units that another replica lacks; null when it is none. */
export function readShortage(message: unknown): ShortageMessage | null {
  if (!isRecord(message)) return null;
  const { pool, needed, turn } = message;
  return typeof pool === "string" && isCount(needed) && isCount(turn) ? { pool, needed, turn } : null;
}

/** Reads the pool of which another replica has given back units; null when the message is none of that kind. */
export function readUnitsReturned(message: unknown): string | null {
  return isRecord(message) && typeof message.pool === "string" ? message.pool : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
