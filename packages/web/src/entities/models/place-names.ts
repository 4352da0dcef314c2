import type { ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatList } from "#/lib/format.ts";
import type { Place } from "./hosted.ts";

/** Returns the name of a place in the reader's language. */
export function formatPlaceName({ kind, name }: Pick<Place, "kind" | "name">): string {
  if (kind === "server") return t`This server`;
  return kind === "network" ? t`A server of the operator` : name;
}

/** Returns the names of the places elsewhere, each once; null if there are none. */
export function listElsewhere({ places }: Pick<ModelDetail, "places">): string | null {
  const names = new Set(places.filter(({ hosted }) => hosted === "elsewhere").map(formatPlaceName));
  return names.size === 0 ? null : formatList([...names], "disjunction");
}
