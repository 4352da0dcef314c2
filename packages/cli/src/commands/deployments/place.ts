import type { Deployment, DeploymentCreate, DeploymentProvider, Feather } from "@feather/sdk";
import { UsageError } from "../../errors.ts";

/** Fields that say where a deployment runs. They may be left out: see `fillPlaces`. */
export const PLACE_FIELDS = ["provider_id", "region", "instance_type"] as const;
type PlaceField = (typeof PLACE_FIELDS)[number];

/** The settings of a deployment as a file or flags describe it. */
export type Manifest = Omit<DeploymentCreate, PlaceField> & Partial<Pick<DeploymentCreate, PlaceField>>;

/** The defaults where there are several: this machine, without a graphics card. */
const DEFAULT_PLACE: Readonly<Record<PlaceField, string>> = {
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
};

/**
 * Returns the manifests with where they run: where a deployment of that name is already, else the only provider, region and
 * type of machine, or the usual ones among several. Throws `UsageError` that names the choices when there are only others.
 */
export async function fillPlaces(
  { deployments }: Feather,
  manifests: readonly Manifest[],
  existing: readonly Deployment[],
  signal: AbortSignal,
): Promise<readonly DeploymentCreate[]> {
  const placed = manifests.map((manifest): Manifest => {
    const found = existing.find(({ name, state }) => name === manifest.name && state !== "deleting");
    if (found === undefined) return manifest;
    const { provider_id, region, instance_type } = found;
    return { provider_id, region, instance_type, ...manifest };
  });
  const named = placed.filter(hasPlace);
  if (named.length === placed.length) return named;
  const { items } = await deployments.providers({ signal });
  return placed.map((manifest) => findPlace(manifest, items));
}

/** Returns a manifest with where it runs, as for a deployment that does not exist yet. */
export async function fillPlace(
  { deployments }: Feather,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<DeploymentCreate> {
  return hasPlace(manifest) ? manifest : findPlace(manifest, (await deployments.providers({ signal })).items);
}

function findPlace(manifest: Manifest, providers: readonly DeploymentProvider[]): DeploymentCreate {
  const available = providers.filter((provider) => provider.available);
  const provider_id =
    manifest.provider_id ?? choose("provider_id", manifest, available.length > 0 ? available : providers);
  const provider = providers.find(({ id }) => id === provider_id);
  return {
    ...manifest,
    provider_id,
    // An unknown provider is reported as such.
    region: manifest.region ?? choose("region", manifest, provider?.regions),
    instance_type: manifest.instance_type ?? choose("instance_type", manifest, provider?.instance_types),
  };
}

const hasPlace = (manifest: Manifest): manifest is DeploymentCreate =>
  PLACE_FIELDS.every((field) => manifest[field] !== undefined);

function choose(
  field: PlaceField,
  { name }: Manifest,
  choices: readonly { readonly id: string }[] | undefined,
): string {
  const usual = DEFAULT_PLACE[field];
  if (choices === undefined) return usual;
  const [only] = choices;
  if (only !== undefined && choices.length === 1) return only.id;
  if (choices.some(({ id }) => id === usual)) return usual;
  const ids = choices.map(({ id }) => id).join(", ");
  throw new UsageError(
    `${field} of ${name} is missing`,
    `${ids === "" ? "" : `one of ${ids}; `}feather deployments providers`,
  );
}
