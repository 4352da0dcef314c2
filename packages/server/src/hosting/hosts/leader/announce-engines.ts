import type { BackendSpec } from "../../../gateway/index.ts";
import type { Replicas } from "../../../platform/core/replicas/replicas.ts";
import type { HostRegistry } from "../host.ts";

/** Returns a registry that tells the other replicas when an engine of this process was started or stopped. */
export function announceEngines(registry: HostRegistry, bus: Pick<Replicas["bus"], "publish">): HostRegistry {
  const { list, lastAnswerAt } = registry;
  const announce = () => bus.publish("hosting", {});
  return {
    list,
    lastAnswerAt,
    set(spec: BackendSpec) {
      registry.set(spec);
      announce();
    },
    remove(name: string) {
      registry.remove(name);
      announce();
    },
  };
}
