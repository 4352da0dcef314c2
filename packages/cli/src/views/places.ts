import type { Model, ModelDetail } from "@feather/sdk";
import { formatPricePerMillion, formatTokens } from "@feather/sdk/format";

type Place = ModelDetail["places"][number];

/** Returns where a model can be called: `here`, `elsewhere` or `here, elsewhere`. Empty if nothing can run it. */
export const formatHosted = ({ hosted }: Pick<Model, "hosted">): string => hosted.join(", ");

/**
 * Returns what a place says of a model in one line, such as `OpenRouter, elsewhere, several countries: $0.10 in and $0.30
 * out per million tokens, 131k tokens, warm`.
 */
export function formatPlace(place: Place): string {
  const { name, backend, hosted, price, context_length: context, quantization, state } = place;
  const where = [
    name + (backend === undefined || backend === name ? "" : ` (${backend})`),
    hosted,
    ...formatLocation(place),
  ];
  const facts = [
    ...(price === null
      ? []
      : [
          `${formatPricePerMillion(price.prompt)} in and ${formatPricePerMillion(price.completion)} out per million tokens`,
        ]),
    ...(context === null ? [] : [`${formatTokens(context)} tokens`]),
    ...(quantization === null ? [] : [quantization]),
    ...formatAbilities(place),
    state,
  ];
  return `${where.join(", ")}: ${facts.join(", ")}`;
}

/** Returns the region of a place, or the country or countries; nothing where it does not say. */
function formatLocation({ location, region }: Pick<Place, "location" | "region">): string[] {
  if (region !== null) return [region];
  if (location === null || location === "chosen") return [];
  if (location === "several") return ["several countries"];
  return [new Intl.DisplayNames("en", { type: "region" }).of(location) ?? location];
}

function formatAbilities({ abilities }: Pick<Place, "abilities">): string[] {
  return Object.entries(abilities).flatMap(([name, yes]) => (yes === true ? [name.replaceAll("_", " ")] : []));
}
