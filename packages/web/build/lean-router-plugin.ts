import type { Plugin } from "vite";

/** Names that developer tools show. Being assignments, they keep parts in the build that nobody uses. */
const DISPLAY_NAME = /^\s*\w+\.displayName = "[^"]*";$/gm;
/** Parts of the package that are made by a call, which a bundler keeps unless it is told that nothing else happens. */
const CALL = /^var (\w+) = (React\d*\.(?:createContext|forwardRef|memo)\()/gm;

/** Takes the router in its form for production, which its package hands to no bundler, and only what is used of it. */
export function leanRouterPlugin(): Plugin {
  return {
    name: "feather-lean-router",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: /^react-router(\/dom)?$/ },
      async handler(id, importer, options) {
        const found = await this.resolve(id, importer, { ...options, skipSelf: true });
        return found && { ...found, id: found.id.replace(/([/\\]dist[/\\])development(?=[/\\])/, "$1production") };
      },
    },
    transform: {
      filter: { id: /react-router[/\\]dist[/\\]production[/\\]/ },
      handler: (code) => ({
        code: code.replaceAll(DISPLAY_NAME, "").replaceAll(CALL, "var $1 = /* @__PURE__ */ $2"),
        map: null,
      }),
    },
  };
}
