import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(js|css|svg|txt|json|xml|wasm)$/;
/** Smaller files are not compressed, in bytes: it would save less than a network packet. */
const MIN_BYTES = 1024;
const MAX_PARALLEL = 8;

/** Vite plugin that writes a `.br` and a `.gz` file beside each compressible file of the build. */
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
      const files = names
        .filter((name) => COMPRESSIBLE.test(name) && name !== "site.json")
        .map((name) => join(folder, name));
      const next = files.values();
      await Promise.all(
        Array.from({ length: MAX_PARALLEL }, async () => {
          for (const file of next) await compressFile(file);
        }),
      );
    },
  };
}

async function compressFile(file: string): Promise<void> {
  const text = await readFile(file);
  if (text.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  const [gzipped, brotlied] = await Promise.all([
    promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(text, { params }),
  ]);
  await Promise.all([writeFile(`${file}.gz`, gzipped), writeFile(`${file}.br`, brotlied)]);
}
