import { bind } from "../../platform/core/bind.ts";
import { organizationIdOf } from "../../platform/core/models/model-keys.ts";
import { filesOf, type HostedModel } from "../runtimes/index.ts";
import { type ServedFile, type ServedFileLookup, toServedFiles } from "../store/index.ts";
import type { HostedModels } from "./host.ts";

type Deps = {
  /** The models of this process. */
  own: Pick<HostedModels, "find">;
  /** The models of the leader, or of this process if it leads. */
  shared: Pick<HostedModels, "find">;
  served: ServedFileLookup;
};

/** Creates the lookup of hosted models for organizations: each finds public models and its own. */
export function createModelLookup(deps: Deps) {
  return {
    findForOrganization: (key: string, organizationId: string) => findHostedModel(deps.shared, key, organizationId),
    ...bind(deps, { describeFiles, findModelFile }),
  };
}

/** Returns a hosted model; null if it does not exist or the organization may not use it. */
function findHostedModel(models: Pick<HostedModels, "find">, key: string, organizationId: string): HostedModel | null {
  const owner = organizationIdOf(key);
  return owner === null || owner === organizationId ? models.find(key) : null;
}

/**
 * Returns the kind, the origin and the served files of a model; null if it does not exist or the organization may not
 * use it.
 */
function describeFiles({ shared, served }: Deps, key: string, organizationId: string) {
  const model = findHostedModel(shared, key, organizationId);
  if (model === null) return null;
  const { fileName, repository, revision, isConverted = false } = model;
  const servedNames = toServedFiles(model);
  const servedFiles = servedNames && { ...servedNames, prepare: () => served.prepare(model) };
  return { files: filesOf(model), fileName, repository, revision, isConverted, served: servedFiles };
}

/**
 * Returns a file of a model on this machine. Null if the organization may not use the model, or the model has no such file
 * in that version.
 */
async function findModelFile(
  { own, served }: Deps,
  { key, organizationId }: { key: string; organizationId: string },
  file: { version: string; name: string },
): Promise<ServedFile | null> {
  const model = findHostedModel(own, key, organizationId);
  return model && served.find(model, file);
}
