/** The parts of the API server's OpenAPI documents that describe what the provider writes. */
export const SCHEMA_FILE = new URL("../../packages/testing/src/fake-kubernetes/schemas.json", import.meta.url);

/** The documents that define the kinds which the provider writes. */
const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  "api/v1": ["io.k8s.api.core.v1.Secret", "io.k8s.api.core.v1.Service"],
  "apis/apps/v1": ["io.k8s.api.apps.v1.Deployment"],
  "apis/policy/v1": ["io.k8s.api.policy.v1.PodDisruptionBudget"],
};
const REFERENCE = "#/components/schemas/";
/** The state of objects, which only the cluster writes, and texts for people. */
const LEFT_OUT = new Set(["description", "status", "x-kubernetes-group-version-kind", "managedFields"]);

type Json = { [name: string]: unknown };
type OpenApi = { components: { schemas: Record<string, Json> } };

/** Reads the schemas of the written kinds from a cluster, with all that they refer to. */
export async function readSchemas(get: (path: string) => Promise<unknown>): Promise<Record<string, Json>> {
  const schemas: Record<string, Json> = {};
  for (const [document, names] of Object.entries(DOCUMENTS)) {
    const { components } = (await get(`/openapi/v3/${document}`)) as OpenApi;
    for (const name of names) collect(name, components.schemas, schemas);
  }
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function collect(name: string, from: Record<string, Json>, into: Record<string, Json>): void {
  const schema = from[name];
  if (into[name] !== undefined || schema === undefined) return;
  const trimmed = trim(schema) as Json;
  into[name] = trimmed;
  for (const reference of referencesOf(trimmed)) collect(reference, from, into);
}

function trim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trim);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => !LEFT_OUT.has(name) && !name.startsWith("x-kubernetes-list"),
  );
  return Object.fromEntries(entries.map(([name, part]) => [name, trim(part)]));
}

function referencesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "$ref" && typeof part === "string" ? [part.slice(REFERENCE.length)] : referencesOf(part),
  );
}
