import { type ModelAlias, modelAliases } from "../../gateway/index.ts";

/** Returns the column for the aliases of a backend. */
export function toAliasesColumn(aliases: readonly ModelAlias[]): string {
  return JSON.stringify(aliases.map(({ name, as }) => ({ name, as })));
}

/** Reads the column for the aliases of a backend; none if it holds something else. */
export function parseAliasesColumn(value: unknown): ModelAlias[] {
  return modelAliases.safeParse(value).data ?? [];
}
