import { bind } from "../../../platform/core/bind.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import { organizationIdOf } from "../../../platform/core/models/model-keys.ts";
import type { ServedFile } from "../../store/index.ts";
import type { DeploymentsRepository } from "../deployments.repository.ts";
import type { ClusterProvider } from "../kubernetes/kubernetes-provider.ts";

/**
 * Finds a file of a model on this machine. Null if the organization may not use the model, or the model has no such file in
 * that version.
 */
export type FindModelFile = (
  model: { key: string; organizationId: string },
  file: { version: string; name: string },
) => Promise<ServedFile | null>;

type Deps = {
  deploymentsRepository: Pick<DeploymentsRepository, "find">;
  /** The provider that checks the pods' tokens; null if no cluster is configured. */
  cluster: Pick<ClusterProvider, "mayReadFiles"> | null;
  /**
   * Returns the key of the public or private model that the server itself runs in the cluster under this id; null if there
   * is none.
   */
  findHostedKey(id: string): string | null;
  findModelFile: FindModelFile;
};
type Context = Deps & {
  /** The number of files that are being read, by deployment. */
  readers: Map<string, number>;
};
/** A file that is being read. It counts towards the limits until it is disposed. */
export type OpenPodFile = ServedFile & { sha256: string } & Disposable;

/** The number of files that the pods of a deployment may read at the same time. */
const MAX_READERS = 32;
/** The number of files that all pods together may read at the same time. */
const MAX_ALL_READERS = 200;

/** Creates the access to model files for pods. A pod must have the token of its deployment. */
export function createPodFiles(deps: Deps) {
  const context: Context = { ...deps, readers: new Map() };
  return bind(context, { open: openPodFile });
}

/** The access to model files for pods. */
export type PodFileReader = ReturnType<typeof createPodFiles>;

/**
 * Returns a file for a pod. Throws `deployments.files_unauthorized`, `deployments.file_not_found`,
 * `deployments.file_not_ready` while its checksum is being computed, and `capacity_exhausted` while too many files are
 * being read.
 */
async function openPodFile(
  context: Context,
  { id, version, name }: { id: string; version: string; name: string },
  token: string | null,
): Promise<OpenPodFile> {
  const { cluster, findModelFile } = context;
  const isAllowed = token !== null && (await cluster?.mayReadFiles(id, token));
  const model = isAllowed ? await findModel(context, id) : null;
  if (model === null) throw errors.deployments.filesUnauthorized();
  const reader = openReader(context, id);
  try {
    const file = await findModelFile(model, { version, name });
    if (file === null) throw errors.deployments.fileNotFound();
    const { sha256 } = file;
    if (sha256 === null) throw errors.deployments.fileNotReady();
    return { ...file, sha256, ...reader };
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

/** Returns the model that a deployment should run at present; null if it should run none. */
async function findModel({ deploymentsRepository, findHostedKey }: Context, id: string) {
  const hostedKey = findHostedKey(id);
  if (hostedKey !== null) return { key: hostedKey, organizationId: organizationIdOf(hostedKey) ?? "" };
  const row = await deploymentsRepository.find(id);
  if (!row || row.deleting || row.paused) return null;
  return { key: row.model_id, organizationId: row.organization_id };
}

/** Counts a file as being read. Disposing the result ends that. Throws `capacity_exhausted` over the limits. */
function openReader({ readers }: Context, id: string): Disposable {
  const count = readers.get(id) ?? 0;
  const all = [...readers.values()].reduce((sum, readersOfOne) => sum + readersOfOne, 0);
  if (count >= MAX_READERS || all >= MAX_ALL_READERS)
    throw errors.capacityExhausted("Too many files of models are being read. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  readers.set(id, count + 1);
  let isOpen = true;
  return {
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      const left = (readers.get(id) ?? 1) - 1;
      if (left > 0) readers.set(id, left);
      else readers.delete(id);
    },
  };
}
