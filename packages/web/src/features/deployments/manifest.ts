import type { DeploymentCreate } from "@feather/sdk";

type Scalar = string | number | boolean | null;

const PLACEHOLDERS: Partial<Record<keyof DeploymentCreate, string>> = {
  name: "a name, such as support-bot",
  model_id: "choose a model",
  provider_id: "choose a provider",
  region: "choose a region",
  instance_type: "choose a machine",
};
/** Words that YAML does not read as strings. */
const YAML_RESERVED = /^(true|false|yes|no|on|off|y|n|null|~)$/i;

/** Returns the settings as YAML for `feather deployments apply -f`. Missing values become comments. */
export function toManifest(body: DeploymentCreate): string {
  const lines = Object.entries(body).flatMap(([name, value]) => {
    if (value === null && name === "revision") return [];
    const placeholder = PLACEHOLDERS[name as keyof DeploymentCreate];
    if (placeholder !== undefined && value === "") return [`${name}: # ${placeholder}`];
    if (typeof value !== "object" || value === null) return [`${name}: ${toYamlScalar(value as Scalar)}`];
    const entries = Object.entries(value);
    if (entries.length === 0) return [];
    return [`${name}:`, ...entries.map(([key, one]) => `  ${toYamlScalar(key)}: ${toYamlScalar(one as Scalar)}`)];
  });
  return `${lines.join("\n")}\n`;
}

/** Returns a plain scalar if it is read back as the same string, otherwise a JSON string, which is valid YAML. */
function toYamlScalar(value: Scalar): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "# a number";
  if (typeof value !== "string") return String(value);
  return /^[A-Za-z][\w./-]*$/.test(value) && !YAML_RESERVED.test(value) ? value : JSON.stringify(value);
}
