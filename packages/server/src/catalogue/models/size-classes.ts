import type { Database } from "../../platform/core/db/connect.ts";
import { unitsOfSize } from "../../platform/core/models/model-sizes.ts";

const UNKNOWN_SIZE = "unknown";
const CLASS_BY_UNITS = { 1: "up-to-15b", 2: "up-to-34b", 4: "over-34b" } as const;

/** The classes of models for which only the size counts: models that were found on a backend or downloaded. */
export const SIZE_CLASSES: readonly string[] = [...Object.values(CLASS_BY_UNITS), UNKNOWN_SIZE];

/** Returns the id of the class for a number of parameters. An unknown size costs as much as the largest. */
export function sizeClassOf(parameterSize: number | null): string {
  return parameterSize === null ? UNKNOWN_SIZE : CLASS_BY_UNITS[unitsOfSize(parameterSize)];
}

/** Adds missing size classes, and updates the units of the others. They have no context length: it does not follow from the size. */
export async function ensureSizeClasses(db: Database): Promise<void> {
  const classes = Object.entries(CLASS_BY_UNITS).map(([units, id]) => ({ id, concurrency_cost: Number(units) }));
  const all = [...classes, { id: UNKNOWN_SIZE, concurrency_cost: unitsOfSize(null) }];
  await db
    .insertInto("model_classes")
    .values(all.map((row) => ({ ...row, name: row.id })))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({ concurrency_cost: eb.ref("excluded.concurrency_cost") })),
    )
    .execute();
}
