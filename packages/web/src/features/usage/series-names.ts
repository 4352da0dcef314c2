import { t } from "@lingui/core/macro";
import type { GroupBy } from "./activity.ts";
import { getOutcomeLabel } from "./outcomes.ts";

/** Returns the name of a series; null is the sum of all series that are not shown separately. */
export function getSeriesName(id: string | null, groupBy: GroupBy, keyNames: ReadonlyMap<string, string>): string {
  if (id === null) return t`others`;
  if (groupBy === "outcome") return getOutcomeLabel(id);
  if (groupBy === "model") return id;
  return id === "" ? t`this site` : (keyNames.get(id) ?? t`a deleted key`);
}
