import { createHash } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type PullRow, partsOf } from "../rows/pull-rows.ts";
import { unknownArchitecture } from "../store.errors.ts";
import { type GgufDeps, readFactsOfPull, saveFile } from "./gguf-pulls.ts";
import type { PullWork } from "./pull-runner.ts";

/** The number of bytes that are read from a file. No header is larger. */
const HEAD_BYTES = 32 * 1024 * 1024;

/**
 * Returns the work for GGUF files that a remote host downloads: it reads their headers and makes the models callable. No
 * file is kept on this machine.
 */
export function createRemoteGgufWork(deps: GgufDeps): PullWork {
  return async (row, _progress, signal) => {
    const folder = deps.folder.conversionFolder(row.id);
    await mkdir(folder, { recursive: true });
    try {
      const [first = ""] = await fetchHeads(deps, row, folder, signal);
      const facts = await readFactsOfPull(deps, row, first, signal);
      if (!(await deps.isKnownArchitecture(facts.architecture)))
        throw unknownArchitecture(row.repository, facts.architecture);
      return saveFile(deps, row, { sha256: row.sha256 ?? nameFile(row), size: row.bytes_total, facts });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Downloads the first bytes of a file's parts into a folder. Returns their paths. */
async function fetchHeads(deps: GgufDeps, row: PullRow, folder: string, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (const { path } of partsOf(row)) {
    const target = join(folder, basename(path));
    await fetchHead(deps, row, { path, target, signal });
    paths.push(target);
  }
  return paths;
}

type Head = { path: string; target: string; signal: AbortSignal };

async function fetchHead({ hub, sealer }: GgufDeps, row: PullRow, { path, target, signal }: Head): Promise<void> {
  const { repository, revision, sealed_token } = row;
  const token = sealed_token === null ? undefined : sealer.open(sealed_token);
  const { body } = await hub.download(repository, path, { token, revision, signal, from: 0, to: HEAD_BYTES });
  const file = await open(target, "w", 0o600);
  try {
    let written = 0;
    for await (const bytes of body) {
      const rest = bytes.subarray(0, HEAD_BYTES - written);
      await file.write(rest);
      written += rest.length;
      if (written >= HEAD_BYTES) break; // a hub that cannot stop there sends all
    }
  } finally {
    await file.close();
  }
}

/** Returns a hash that replaces the checksum of a file if the hub publishes none. */
function nameFile({ repository, revision, file }: PullRow): string {
  return createHash("sha256")
    .update(JSON.stringify([repository, revision, file]))
    .digest("hex");
}
