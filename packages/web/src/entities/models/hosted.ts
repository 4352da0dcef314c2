import type { Model, ModelDetail } from "@feather/sdk";
import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";

/** A place where a model answers. */
export type Place = ModelDetail["places"][number];

/** Returns where a model can be called, as a badge says it; null if nothing can run it. */
export function formatHosted({ hosted }: Pick<Model, "hosted">): string | null {
  if (hosted.length === 2) return t`Here and elsewhere`;
  if (hosted.length === 0) return null;
  return hosted[0] === "here" ? t`Runs here` : t`Elsewhere`;
}

/** Returns where a model can be called, with the country of the places elsewhere if it is the same for all. */
export function formatHostedWithCountry(model: Pick<ModelDetail, "hosted" | "places">): string | null {
  const text = formatHosted(model);
  if (text === null) return null;
  const locations = new Set(model.places.filter(({ hosted }) => hosted === "elsewhere").map(formatLocation));
  const [location = null] = locations;
  return locations.size === 1 && location !== null ? t`${text}, ${location}` : text;
}

/** Returns the region of a place, or the country or countries; null where the place does not say. */
export function formatLocation({ location, region }: Pick<Place, "location" | "region">): string | null {
  if (region !== null) return region;
  if (location === null || location === "chosen") return null;
  if (location === "several") return t`several countries`;
  return new Intl.DisplayNames([i18n.locale], { type: "region" }).of(location) ?? location;
}
