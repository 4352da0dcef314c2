/** The parts of the API server's OpenAPI documents that describe what the provider writes. */
export const SCHEMA_FILE = new URL("../../packages/testing/src/fake-kubernetes/schemas.json", import.meta.url);

/** Documents of the API, and the schemas in them of the kinds which the provider writes. */
type Documents = Readonly<Record<string, readonly string[]>>;
/** What every cluster has. */
export const DOCUMENTS: Documents = {
  "api/v1": ["io.k8s.api.core.v1.Secret", "io.k8s.api.core.v1.Service"],
  "apis/apps/v1": ["io.k8s.api.apps.v1.Deployment"],
  "apis/policy/v1": ["io.k8s.api.policy.v1.PodDisruptionBudget"],
  "apis/networking.k8s.io/v1": ["io.k8s.api.networking.v1.NetworkPolicy"],
};
/** What a cluster has in which LeaderWorkerSets are installed. */
export const LEADER_WORKER_SET_DOCUMENTS: Documents = {
  "apis/leaderworkerset.x-k8s.io/v1": ["io.x-k8s.leaderworkerset.v1.LeaderWorkerSet"],
};
const POD_TEMPLATE = "io.k8s.api.core.v1.PodTemplateSpec";
const REFERENCE = "#/components/schemas/";
/** The state of objects, which only the cluster writes, and texts for people. */
const LEFT_OUT = new Set(["description", "status", "x-kubernetes-group-version-kind", "managedFields"]);

type Json = { [name: string]: unknown };
type OpenApi = { components: { schemas: Record<string, Json> } };

/** Reads schemas of written kinds from a cluster, with all that they refer to. */
export async function readSchemas(
  get: (path: string) => Promise<unknown>,
  documents: Documents,
): Promise<Record<string, Json>> {
  const schemas: Record<string, Json> = {};
  for (const [document, names] of Object.entries(documents)) {
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
  return Object.fromEntries(
    entries.map(([name, part]) => [name, isPodTemplate(name) ? toReference(part) : trim(part)]),
  );
}

/** Definitions of kinds refer to nothing, so they repeat what pods are; that would be 400 kB. */
function isPodTemplate(name: string): boolean {
  return name === "leaderTemplate" || name === "workerTemplate";
}

function toReference(schema: unknown): Json {
  const { properties } = schema as { properties?: Json };
  if (properties?.spec === undefined) throw new Error("This is no template of pods.");
  return { $ref: `${REFERENCE}${POD_TEMPLATE}` };
}

function referencesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === "$ref" && typeof part === "string" ? [part.slice(REFERENCE.length)] : referencesOf(part),
  );
}
