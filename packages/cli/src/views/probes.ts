import type { ModelDetail } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import { formatAgo } from "../output/time.ts";

type Probe = ModelDetail["probes"][number];

const ABILITIES: Readonly<Record<Probe["ability"], string>> = {
  speed: "speed",
  tools: "tools",
  json_schema: "JSON schemas",
  vision: "pictures",
  context: "long prompts",
};

/**
 * Returns what a model has shown at each place, one line a place, such as `This server, 2 hours ago: 42 tokens/s, tools, JSON
 * schemas, no pictures, long prompts (16,384 tokens)`.
 */
export function formatProbes(probes: readonly Probe[], now: Date): string[] {
  const byPlace = Map.groupBy(probes, ({ name, backend }) => nameOf(name, backend));
  return [...byPlace].map(([place, ofPlace]) => {
    const latest = Math.max(...ofPlace.map(({ checked_at }) => checked_at.getTime()));
    return `${place}, ${formatAgo(new Date(latest), now)}: ${ofPlace.map(formatProbe).join(", ")}`;
  });
}

/** Returns a result in a few words, such as `no pictures`. */
export function formatProbe(probe: Probe): string {
  const { ability, result, tokens_per_second: speed, prompt_tokens: tokens } = probe;
  if (ability === "speed" && result === "yes") return speed === null ? "answers" : `${formatCount(speed)} tokens/s`;
  const name = ABILITIES[ability];
  if (result === "unclear") return `${name} unclear`;
  if (result === "no") return `no ${name}`;
  return ability === "context" && tokens !== null ? `${name} (${formatCount(tokens)} tokens)` : name;
}

const nameOf = (name: string, backend: string | undefined): string =>
  backend === undefined || backend === name ? name : `${name} (${backend})`;
