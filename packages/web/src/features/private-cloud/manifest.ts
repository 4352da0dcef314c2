import type { DeploymentBody } from "./settings.ts";

type Scalar = string | number | boolean | null;

const TODO: Partial<Record<keyof DeploymentBody, string>> = {
  name: "a name, such as support-bot",
  model_id: "choose a model",
  provider_id: "choose a provider",
  region: "choose a region",
  instance_type: "choose a machine",
};
/** Words that YAML does not read as strings. */
const RESERVED = /^(true|false|yes|no|on|off|y|n|null|~)$/i;

/** Returns the settings as YAML for `feather deployments apply -f`. Missing values become comments. */
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

/** Returns a plain scalar if it is read back as the same string, otherwise a JSON string, which is valid YAML. */
function scalar(value: Scalar): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "# a number";
  if (typeof value !== "string") return String(value);
  return /^[A-Za-z][\w./-]*$/.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
}
