import { t } from "@lingui/core/macro";
import type { Split } from "./activity.ts";
import { outcomeWord } from "./outcomes.ts";

/** Returns the name of a series; null stands for all that are not shown separately. */
export function seriesName(id: string | null, split: Split, keyNames: ReadonlyMap<string, string>): string {
  if (id === null) return t`others`;
  if (split === "outcome") return outcomeWord(id);
  if (split === "model") return id;
  return id === "" ? t`this site` : (keyNames.get(id) ?? t`a deleted key`);
}
