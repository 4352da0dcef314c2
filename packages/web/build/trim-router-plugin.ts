import type { Plugin } from "vite";

/** Display names for developer tools: as side effects they would keep unused components in the bundle. */
const DISPLAY_NAME = /^\s*\w+\.displayName = "[^"]*";$/gm;
/** Top-level calls that a bundler keeps unless they are marked as pure. */
const CALL = /^var (\w+) = (React\d*\.(?:createContext|forwardRef|memo)\()/gm;
/** Functions for React Router's framework mode, which this site does not use, with their replacement. */
const FRAMEWORK_FUNCTIONS: Readonly<Record<string, string>> = {
  PrefetchPageLinks: "() { return null; }",
  usePrefetchBehavior: "() { return [false, null, {}]; }",
  useViewTransitionState: "() { return false; }",
  RSCErrorHandler: "({ children }) { return children; }",
  DefaultErrorComponent: "() { return null; }",
};

/**
 * Vite plugin that resolves React Router to its production build, which its exports never select, and removes unused
 * code.
 */
export function trimRouterPlugin(): Plugin {
  return {
    name: "feather-trim-router",
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
      handler: (code) => ({ code: trimRouter(code), map: null }),
    },
  };
}

function trimRouter(code: string): string {
  let trimmed = code.replaceAll(DISPLAY_NAME, "").replaceAll(CALL, "var $1 = /* @__PURE__ */ $2");
  for (const [name, replacement] of Object.entries(FRAMEWORK_FUNCTIONS))
    trimmed = trimmed.replace(
      new RegExp(`^function ${name}\\([\\s\\S]*?^}$`, "m"),
      () => `function ${name}${replacement}`,
    );
  return trimmed;
}
