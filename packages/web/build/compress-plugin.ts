import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = /\.(js|css|svg|txt|json|xml|wasm)$/;
/** Below this, what is saved is less than a packet. */
const LEAST = 1024;
const AT_ONCE = 8;

/** Writes each file of the build in the forms in which servers send it: `.br` and `.gz`, beside it. */
export function compressPlugin(): Plugin {
  let folder = "";
  return {
    name: "feather-compress",
    apply: "build",
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    async closeBundle() {
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
      const files = names.filter((name) => TEXTS.test(name) && name !== "site.json").map((name) => join(folder, name));
      const next = files.values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const file of next) await compressFile(file);
        }),
      );
    },
  };
}

async function compressFile(file: string): Promise<void> {
  const text = await readFile(file);
  if (text.length < LEAST) return;
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  const [small, smaller] = await Promise.all([
    promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(text, { params }),
  ]);
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smaller)]);
}
