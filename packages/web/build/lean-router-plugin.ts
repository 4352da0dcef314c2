import type { Plugin } from "vite";

/** Names that developer tools show. Being assignments, they keep parts in the build that nobody uses. */
const DISPLAY_NAME = /^\s*\w+\.displayName = "[^"]*";$/gm;
/** Parts that are made by a call, which a bundler keeps unless it is told that nothing else happens. */
const CALL = /^var (\w+) = (React\d*\.(?:createContext|forwardRef|memo)\()/gm;
/** What is for sites that a server of the router's own draws. Nothing here ever gets there. */
const FOR_FRAMEWORKS: Readonly<Record<string, string>> = {
  PrefetchPageLinks: "() { return null; }",
  usePrefetchBehavior: "() { return [false, null, {}]; }",
  useViewTransitionState: "() { return false; }",
  RSCErrorHandler: "({ children }) { return children; }",
  DefaultErrorComponent: "() { return null; }",
};

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
      handler: (code) => ({ code: lean(code), map: null }),
    },
  };
}

function lean(code: string): string {
  let left = code.replaceAll(DISPLAY_NAME, "").replaceAll(CALL, "var $1 = /* @__PURE__ */ $2");
  for (const [name, instead] of Object.entries(FOR_FRAMEWORKS))
    left = left.replace(new RegExp(`^function ${name}\\([\\s\\S]*?^}$`, "m"), () => `function ${name}${instead}`);
  return left;
}
