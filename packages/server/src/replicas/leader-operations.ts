import type { OperationId } from "../platform/core/http/handlers.ts";

const RUNS_ENGINES = "its engines run the models";
const HAS_FILES = "the files of models are on its disk, and it downloads them";
const RUNS_DEPLOYMENTS = "it runs the deployments, or knows them in their cluster";

/**
 * The operations that only the leader can answer, with the reason. All others are answered by the replica that receives
 * them.
 */
export const LEADER_OPERATIONS: Readonly<Partial<Record<OperationId, string>>> = {
  "admin.modelHost.get": RUNS_ENGINES,
  "admin.models.redeploy": RUNS_ENGINES,
  "admin.models.unload": RUNS_ENGINES,

  "admin.store.files": HAS_FILES,
  "admin.store.models.list": HAS_FILES,
  "admin.store.models.update": HAS_FILES,
  "admin.store.models.delete": HAS_FILES,
  "admin.store.pulls.create": HAS_FILES,
  "admin.store.pulls.cancel": HAS_FILES,
  "admin.store.pulls.pause": HAS_FILES,
  "admin.store.pulls.resume": HAS_FILES,

  "privateModels.compatibility": RUNS_ENGINES,
  "privateModels.create": HAS_FILES,
  "privateModels.unload": RUNS_ENGINES,
  "privateModels.delete": HAS_FILES,

  "deployments.providers": RUNS_DEPLOYMENTS,
  "deployments.create": RUNS_DEPLOYMENTS,
  "deployments.update": RUNS_DEPLOYMENTS,
  "deployments.delete": RUNS_DEPLOYMENTS,
  "deployments.pause": RUNS_DEPLOYMENTS,
  "deployments.resume": RUNS_DEPLOYMENTS,
  "deployments.replicas": RUNS_DEPLOYMENTS,
  "deployments.logs": RUNS_DEPLOYMENTS,
  "deployments.chat.completions.create": RUNS_DEPLOYMENTS,
  "deployments.completions.create": RUNS_DEPLOYMENTS,
  "deployments.embeddings.create": RUNS_DEPLOYMENTS,
  "deployments.files.get": HAS_FILES,
  "admin.deployments.redeploy": RUNS_DEPLOYMENTS,
};
