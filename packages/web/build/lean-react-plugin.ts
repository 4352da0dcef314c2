import type { Plugin } from "vite";

const SHIM = "use-sync-external-store/shim";

/** Gives libraries that carry a stand-in for a hook of React the hook itself. */
export function leanReactPlugin(): Plugin {
  return {
    name: "feather-lean-react",
    apply: "build",
    enforce: "pre",
    resolveId: { filter: { id: /^use-sync-external-store\/shim$/ }, handler: () => `\0${SHIM}` },
    load: {
      filter: { id: /^\0use-sync-external-store\/shim$/ },
      handler: () => 'export { useSyncExternalStore } from "react";',
    },
  };
}
