import type { ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatCount, formatDecimal } from "#/lib/format.ts";

/** What a model did when the server asked it for an ability at one place. */
export type Probe = ModelDetail["probes"][number];

/** Returns the name of what a model was asked for. */
export function probeLabel(ability: Probe["ability"]): string {
  switch (ability) {
    case "speed":
      return t`Speed`;
    case "tools":
      return t`Calls tools`;
    case "json_schema":
      return t`Follows a JSON schema`;
    case "vision":
      return t`Sees pictures`;
    case "context":
      return t`Finds a number in a long prompt`;
  }
}

/** Returns a result in a word or a figure: the speed for the speed, and the length of the prompt for a long one. */
export function formatProbeResult({ ability, result, tokens_per_second: speed, prompt_tokens: tokens }: Probe): string {
  if (result === "unclear") return t`unclear`;
  if (result === "no") return t`no`;
  if (ability === "speed") return speed === null ? t`too short to measure` : t`${formatDecimal(speed)} tokens/s`;
  if (ability === "context" && tokens !== null) return t`yes, of ${formatCount(tokens)} tokens`;
  return t`yes`;
}

/** Returns the class of the coloured dot before a result. */
export const probeTier = ({ result }: Probe): string =>
  result === "yes" ? "good" : result === "no" ? "offline" : "loading";
