import type { CallableModel } from "../../gateway/index.ts";

/** Finds the models that an organization may deploy. Throws `model_not_found`, `model_disabled` and similar errors. */
export type DeployableModels = {
  /** Finds a model by the id that callers use. */
  find(id: string, organizationId: string): Promise<CallableModel>;
  /** Finds a public model, or one of the organization, by its key. */
  findByKey(key: string, organizationId: string): Promise<CallableModel>;
};
