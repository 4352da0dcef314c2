import type { RoutingAlias } from "@feather/sdk";

/** Fields that `--json` accepts. */
export const ALIAS_FIELDS = [
  "name",
  "models",
  "unknown_models",
  "is_hidden",
  "updated_at",
] as const satisfies readonly (keyof RoutingAlias)[];

/** Returns what keeps an alias from doing what it says, for people; empty if nothing does. */
export function describeProblem({ models, unknown_models: unknown, is_hidden }: RoutingAlias): string {
  if (is_hidden) return "a model has this name";
  if (unknown.length === 0) return "";
  return unknown.length === models.length ? "no model of it exists" : `${unknown.join(", ")} does not exist`;
}
