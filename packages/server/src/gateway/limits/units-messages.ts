import { isRecord } from "../usage/reported-usage.ts";

/** The units of a pool that another replica lacks for its longest waiting request; 0 if it lacks none any more. */
export type ShortageMessage = { pool: string; needed: number; turn: number };

/** Reads a message about units that another replica lacks. Null for other messages. */
export function readShortage(message: unknown): ShortageMessage | null {
  if (!isRecord(message)) return null;
  const { pool, needed, turn } = message;
  return typeof pool === "string" && isCount(needed) && isCount(turn) ? { pool, needed, turn } : null;
}

/** Reads the pool of a message about returned units. Null for other messages. */
export function readUnitsReturned(message: unknown): string | null {
  return isRecord(message) && typeof message.pool === "string" ? message.pool : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
