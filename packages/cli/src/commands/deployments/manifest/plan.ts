import type { Deployment, DeploymentCreate, DeploymentUpdate } from "@feather/sdk";
import { UsageError } from "../../../errors.ts";
import { formatReplicas } from "../../../views/deployment.ts";

/** The step that makes one deployment match its manifest. */
export type Step = {
  readonly action: "create" | "update" | "unchanged" | "delete";
  readonly name: string;
  /** Null until it is created. */
  readonly id: string | null;
  readonly changes: readonly Change[];
  readonly manifest?: DeploymentCreate;
  /** What a person should know of the deployment although nothing is done about it. */
  readonly warning?: string;
};
/** A field that differs between a deployment and its manifest. */
export type Change = { readonly field: string; readonly from: unknown; readonly to: unknown };

/** Fields that cannot be changed after creation. */
const IMMUTABLE_FIELDS = ["provider_id", "region"] as const;

/** Returns the steps that make the deployments match the manifests, in order. Throws `UsageError` for a change that is not possible. */
export function planSteps(
  manifests: readonly DeploymentCreate[],
  existing: readonly Deployment[],
  prune: boolean,
): readonly Step[] {
  const live = existing.filter(({ state }) => state !== "deleting");
  const steps = manifests.map((manifest): Step => {
    const { name } = manifest;
    const found = live.find((deployment) => deployment.name === name);
    if (found === undefined) return { action: "create", name, id: null, changes: [], manifest };
    const changes = findChanges(manifest, found);
    const immutableChange = changes.find(({ field }) => IMMUTABLE_FIELDS.some((one) => one === field));
    if (immutableChange !== undefined)
      throw new UsageError(
        `${immutableChange.field} of ${name} cannot change from ${immutableChange.from} to ${immutableChange.to}`,
        `feather deployments delete ${name}, and apply again; or give it another name`,
      );
    const action = changes.length === 0 ? "unchanged" : "update";
    return { action, name, id: found.id, changes, manifest, ...findWarning(manifest, found) };
  });
  if (!prune) return steps;
  const named = manifests.map(({ name }) => name);
  const others = live.filter(({ name }) => !named.includes(name));
  return [...steps, ...others.map(({ name, id }): Step => ({ action: "delete", name, id, changes: [] }))];
}

/**
 * Returns a warning for a public deployment whose file does not set `visibility`: fields that a file omits stay as they
 * are.
 */
function findWarning({ name, visibility }: DeploymentCreate, existing: Deployment): Pick<Step, "warning"> {
  if (visibility !== undefined || existing.visibility !== "public") return {};
  return { warning: `${name} is public, which its file does not say. To change or keep that, name visibility there.` };
}

/** Returns the fields of the manifest that differ; fields that it omits stay unchanged. */
function findChanges(manifest: DeploymentCreate, existing: Deployment): readonly Change[] {
  const currentFields = new Map<string, unknown>(Object.entries(existing));
  return Object.entries(manifest).flatMap(([field, to]) => {
    const from = currentFields.get(field);
    return isSameValue(field, from, to) ? [] : [{ field, from, to }];
  });
}

function isSameValue(field: string, one: unknown, other: unknown): boolean {
  // The server may store another spelling of the model id.
  if (field === "model_id") return String(one).toLowerCase() === String(other).toLowerCase();
  return toCanonicalJson(one) === toCanonicalJson(other);
}

/** Returns JSON with sorted keys, so that the order of fields does not matter. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** Returns the request body of an update. */
export function toUpdateBody({ changes }: Step): DeploymentUpdate {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]));
}

/** Returns the changes of a step as text: `replicas 1 → 2, revision a04be7d → b1c2fa9`. */
export function formatChanges({ action, changes, manifest }: Step, unicode: boolean): string {
  if (action === "create" && manifest !== undefined)
    return `${manifest.model_id} on ${manifest.provider_id}, ${manifest.instance_type}`;
  const arrow = unicode ? "→" : "->";
  const [from, to] = [formatReplicaRange(changes, "from"), formatReplicaRange(changes, "to")];
  const others = from === undefined ? changes : changes.filter(({ field }) => !REPLICA_FIELDS.includes(field));
  const texts = others.map(
    ({ field, ...change }) => `${field} ${formatValue(change.from)} ${arrow} ${formatValue(change.to)}`,
  );
  return [...(from === undefined ? [] : [`replicas ${from} ${arrow} ${to}`]), ...texts].join(", ");
}

const REPLICA_FIELDS = ["min_replicas", "max_replicas"];

/** Returns both limits as one range when both change; undefined otherwise. */
function formatReplicaRange(changes: readonly Change[], side: "from" | "to"): string | undefined {
  const [min, max] = REPLICA_FIELDS.map((field) => changes.find((change) => change.field === field)?.[side]);
  if (typeof min !== "number" || typeof max !== "number") return undefined;
  return formatReplicas({ min_replicas: min, max_replicas: max });
}

const formatValue = (value: unknown): string => (typeof value === "string" ? value : toCanonicalJson(value ?? null));
