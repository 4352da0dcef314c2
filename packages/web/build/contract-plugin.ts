import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { type Contract, splitContract } from "../src/features/reference/split-contract.ts";

const FILE = fileURLToPath(new URL("../../../openapi/generated/openapi.json", import.meta.url));
const NAME = "virtual:contract";

/** Gives the contract to the API reference: a list of all calls, and the details of each tag apart. */
export function contractPlugin(): Plugin {
  const read = () => splitContract(JSON.parse(readFileSync(FILE, "utf8")) as Contract);
  return {
    name: "feather-contract",
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      this.addWatchFile(FILE);
      const { info, tags } = read();
      const wanted = id.slice(`\0${NAME}/`.length);
      if (wanted !== "") return `export default ${JSON.stringify(tags.find(({ slug }) => slug === wanted)?.detail)};`;
      const list = tags.map(({ detail: _, ...tag }) => tag);
      const loaders = tags.map(({ slug }) => `${JSON.stringify(slug)}: () => import("${NAME}/${slug}")`);
      return `export const info = ${JSON.stringify(info)};\nexport const tags = ${JSON.stringify(list)};\nexport const details = { ${loaders.join(", ")} };`;
    },
  };
}
