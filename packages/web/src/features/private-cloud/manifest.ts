import type { DeploymentBody } from "./settings.ts";

type Scalar = string | number | boolean | null;

const TODO: Partial<Record<keyof DeploymentBody, string>> = {
  name: "a name, such as support-bot",
  model_id: "choose a model",
  provider_id: "choose a provider",
  region: "choose a region",
  instance_type: "choose a machine",
};
/** Words that YAML reads as something else than text. */
const RESERVED = /^(true|false|yes|no|on|off|y|n|null|~)$/i;

/** The settings as a file for `feather deployments apply -f`. What is not filled in yet is said so in a comment. */
export function manifest(body: DeploymentBody): string {
  const lines = Object.entries(body).flatMap(([name, value]) => {
    if (value === null && name === "revision") return [];
    const todo = TODO[name as keyof DeploymentBody];
    if (todo !== undefined && value === "") return [`${name}: # ${todo}`];
    if (typeof value !== "object" || value === null) return [`${name}: ${scalar(value as Scalar)}`];
    const entries = Object.entries(value);
    if (entries.length === 0) return [];
    return [`${name}:`, ...entries.map(([key, one]) => `  ${scalar(key)}: ${scalar(one as Scalar)}`)];
  });
  return `${lines.join("\n")}\n`;
}

/** Plain where that is read back as the same text, and quoted as JSON, which YAML reads too, where it is not. */
function scalar(value: Scalar): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "# a number";
  if (typeof value !== "string") return String(value);
  return /^[A-Za-z][\w./-]*$/.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
}
