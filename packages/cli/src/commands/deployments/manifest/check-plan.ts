import type { DeploymentProvider, Feather } from "@feather/sdk";
import { UsageError } from "../../../errors.ts";
import { withSuggestions } from "../../models/suggestions.ts";
import type { Step } from "./plan.ts";

/** A setting that a step sends to the server: its field and the new value. */
type Setting = readonly [field: string, value: unknown];

/**
 * Checks on the server that the steps can run, and changes nothing. Throws the errors that running them would throw:
 * for missing models, for unknown or unavailable providers, and for an account that may not run deployments. Checks
 * that the credential has no permission for are skipped.
 */
export async function checkSteps(feather: Feather, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  const writtenSteps = steps.filter(({ action }) => action === "create" || action === "update");
  if (writtenSteps.length === 0) return;
  if (writtenSteps.some(({ action }) => action === "create")) await checkAccount(feather, signal);
  const settings = writtenSteps.map(toSettings);
  const modelIds = new Set(settings.flatMap((one) => findTexts(one, "model_id")));
  for (const id of modelIds) await withSuggestions(feather, id, signal, () => feather.models.get(id, {}, { signal }));
  await checkProviders(feather, writtenSteps, signal);
}

function toSettings({ action, manifest, changes }: Step): readonly Setting[] {
  return action === "create" ? Object.entries(manifest ?? {}) : changes.map(({ field, to }): Setting => [field, to]);
}

const findTexts = (settings: readonly Setting[], field: string): readonly string[] =>
  settings.flatMap(([name, value]) => (name === field && typeof value === "string" ? [value] : []));

/** Checks the role and the plan of the caller, if the credential may ask for them. */
async function checkAccount(feather: Feather, signal: AbortSignal): Promise<void> {
  const { can, isApiError, PermissionDeniedError } = await import("@feather/sdk");
  const user = await feather.auth.me({ signal }).catch((error: unknown) => {
    if (isApiError(error) && error.status === 403) return undefined;
    throw error;
  });
  if (user === undefined) return;
  const refuse = (code: string, message: string) =>
    new PermissionDeniedError({ status: 403, code, message, requestId: null });
  if (!can(user, "manage_deployments"))
    throw refuse("organization_permission_denied", `The role ${user.organization.role} may not manage deployments.`);
  const { plan } = user.organization.current_subscription ?? {};
  if (plan !== undefined && !plan.private_cloud)
    throw refuse("deployments.not_on_plan", `The plan ${plan.name} has no private cloud.`);
}

async function checkProviders(feather: Feather, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  const { items } = await feather.deployments.providers({ signal });
  const { ConflictError } = await import("@feather/sdk");
  for (const { manifest } of steps) {
    if (manifest === undefined) continue;
    const provider = requireKnown("provider_id", manifest.provider_id, items);
    if (!provider.available)
      throw new ConflictError({
        status: 409,
        code: "deployments.provider_unavailable",
        message: `${provider.name} runs no deployments: ${provider.reason ?? "it is not set up"}`,
        requestId: null,
      });
    requireKnown("region", manifest.region, provider.regions);
    requireKnown("instance_type", manifest.instance_type, provider.instance_types);
  }
}

function requireKnown<One extends Pick<DeploymentProvider, "id">>(
  field: string,
  id: string,
  known: readonly One[],
): One {
  const found = known.find((one) => one.id === id);
  if (found !== undefined) return found;
  const ids = known.map((one) => one.id).join(", ");
  throw new UsageError(`${field} is not valid: there is no ${id}`, `one of ${ids}; feather deployments providers`);
}
