import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { type Contract, splitContract } from "../src/features/content/reference/split-contract.ts";

const CONTRACT_FILE = fileURLToPath(new URL("../../../openapi/generated/openapi.json", import.meta.url));
const MODULE_ID = "virtual:contract";

/**
 * Vite plugin that provides the OpenAPI contract as virtual modules: group names, a list of all calls, and each group.
 */
export function contractPlugin(): Plugin {
  const read = () => splitContract(JSON.parse(readFileSync(CONTRACT_FILE, "utf8")) as Contract);
  return {
    name: "feather-contract",
    resolveId: { filter: { id: /^virtual:contract/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:contract/ },
      handler(id) {
        this.addWatchFile(CONTRACT_FILE);
        return toModuleSource(id.slice(`\0${MODULE_ID}`.length), read());
      },
    },
  };
}

function toModuleSource(part: string, { info, tags }: ReturnType<typeof splitContract>): string {
  const json = (value: unknown) => JSON.stringify(value);
  if (part === "") return `export const groups = ${json(tags.map(({ name, slug }) => ({ name, slug })))};`;
  const slug = /^\/group\/(.+)$/.exec(part)?.[1];
  if (slug !== undefined) return `export default ${json(tags.find((tag) => tag.slug === slug)?.detail)};`;
  const loaders = tags.map((tag) => `${json(tag.slug)}: () => import("${MODULE_ID}/group/${tag.slug}")`);
  return [
    `export const info = ${json(info)};`,
    `export const tags = ${json(tags.map(({ detail: _, ...tag }) => tag))};`,
    `export const details = { ${loaders.join(", ")} };`,
  ].join("\n");
}
