import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { privateModelKey } from "../../../platform/core/models/model-keys.ts";
import { listStoredFiles, type StoreFiles } from "../../store/index.ts";
import type { ModelHost } from "../host.ts";
import type { RegisteredKeys } from "./registered-keys.ts";

type Deps = {
  host: Pick<ModelHost, "unregister">;
  files: StoreFiles;
  keys: RegisteredKeys;
  clock: Clock;
};

/** Creates the deletion of private models, and of what is left of deleted ones. */
export function createModelDeletion(deps: Deps) {
  return bind(deps, { deleteOrphans, deletePrivateFiles });
}

/** Unregisters models of deleted organizations, and deletes files that no model uses. */
async function deleteOrphans(deps: Deps): Promise<void> {
  const { files, keys, clock } = deps;
  const { storeRepository, safetensorsFolders, folder } = files;
  const stored = await storeRepository.listModels();
  const known = new Set(stored.flatMap(toPrivateKey));
  for (const key of keys.listPrivate()) if (!known.has(key)) await unregisterModel(deps, key);
  const usedChecksums = new Set(stored.flatMap(listStoredFiles).map(({ sha256 }) => sha256));
  await folder.deleteUnused({ usedChecksums, paused: await storeRepository.listPaused() }, clock.now());
  await folder.deleteConversions(await storeRepository.listUnfinishedConversions(clock.now()));
  await safetensorsFolders.deleteUnneeded();
}

type Whose = { model_id: string; organization_id: string | null };

const toPrivateKey = ({ model_id, organization_id }: Whose): string[] =>
  organization_id === null ? [] : [privateModelKey(organization_id, model_id)];

/**
 * Deletes the rows of a private model's files. The returned function makes the model uncallable and deletes the files that
 * no other model uses. It is called after the transaction is committed.
 */
async function deletePrivateFiles(
  deps: Deps,
  { id, organizationId }: { id: string; organizationId: string },
  trx: Database,
): Promise<() => Promise<void>> {
  const { storeRepository, safetensorsFolders, removeFiles } = deps.files;
  const models = await storeRepository.listModelsById(id, organizationId);
  for (const model of models) await storeRepository.deleteModel(model, trx);
  return async () => {
    await unregisterModel(deps, privateModelKey(organizationId, id));
    await safetensorsFolders.remove({ repository: id, organization_id: organizationId });
    for (const model of models) await removeFiles(model);
  };
}

async function unregisterModel({ host, keys }: Deps, key: string): Promise<void> {
  keys.delete(key);
  await host.unregister(key);
}
