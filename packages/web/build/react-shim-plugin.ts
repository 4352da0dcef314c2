import type { Plugin } from "vite";

const SHIM = "use-sync-external-store/shim";

/** Vite plugin that replaces the `use-sync-external-store` shim with the hook of React. */
export function reactShimPlugin(): Plugin {
  return {
    name: "feather-react-shim",
    apply: "build",
    enforce: "pre",
    resolveId: { filter: { id: /^use-sync-external-store\/shim$/ }, handler: () => `\0${SHIM}` },
    load: {
      filter: { id: /^\0use-sync-external-store\/shim$/ },
      handler: () => 'export { useSyncExternalStore } from "react";',
    },
  };
}
