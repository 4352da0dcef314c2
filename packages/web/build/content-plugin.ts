import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { createModule, type ModulePart } from "../src/features/content/compile/content-module.ts";

const PARTS: readonly ModulePart[] = ["page", "meta", "search"];

/** Vite plugin that compiles the Markdown of `content/`, imported as `x.md?page`, `x.md?meta` or `x.md?search`. */
export function contentPlugin(): Plugin {
  return {
    name: "feather-content",
    enforce: "pre",
    load: {
      filter: { id: /\.md\?(page|meta|search)/ },
      handler(id) {
        const [path = "", query = ""] = id.split("?");
        const part = PARTS.find((name) => name === query.split("&")[0]);
        if (part === undefined) return null;
        this.addWatchFile(path);
        const content = createModule(path, readFileSync(path, "utf8"), part);
        return { code: `export default ${JSON.stringify(content)};`, map: null };
      },
    },
  };
}
