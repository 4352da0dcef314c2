import { providerUnavailable, unknownOption } from "./deployments.errors.ts";
import type { DeploymentProvider, ProviderDescription } from "./provider.ts";

/** Creates the lookup of the configured providers by id. */
export function createProviders(providers: readonly DeploymentProvider[]) {
  const byId = new Map(providers.map((provider) => [provider.describe().id, provider]));
  return {
    byId,
    describe: (): ProviderDescription[] => [...byId.values()].map((provider) => provider.describe()),
    get: (id: string): DeploymentProvider | undefined => byId.get(id),

    /**
     * Returns a provider. Throws if the provider, the region or the instance type is unknown, or the provider is
     * unavailable.
     */
    resolve(id: string, region: string, instanceType: string): DeploymentProvider {
      const provider = byId.get(id);
      if (!provider) throw unknownOption("provider_id", id, [...byId.keys()]);
      const { name, regions, instance_types, available, reason } = provider.describe();
      if (!available) throw providerUnavailable(name, reason);
      const toIds = (list: readonly { id: string }[]) => list.map((one) => one.id);
      if (!toIds(regions).includes(region)) throw unknownOption("region", region, toIds(regions));
      if (!toIds(instance_types).includes(instanceType))
        throw unknownOption("instance_type", instanceType, toIds(instance_types));
      return provider;
    },
  };
}

export type Providers = ReturnType<typeof createProviders>;
