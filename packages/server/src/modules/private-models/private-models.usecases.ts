import type { Insertable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Models } from "../../db/schema.generated.ts";
import { admitPlan } from "../../gateway/stages/admit.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { modelIdOf, privateModelKey } from "../../shared/model-keys.ts";
import type { Audit } from "../audit/audit.ts";
import { modelDisabled } from "../catalogue/callable-models.ts";
import { type CompatibilityResult, compatibility } from "../hub/compatibility.ts";
import type { Hub, HubModel } from "../hub/hub.ts";
import type { Hosting } from "../model-host/hosting.ts";
import { chooseFile } from "../model-store/choose-file.ts";
import type { CurrentPlan, PlansRepository } from "../plans/plans.repository.ts";
import {
  incompatible,
  isDeployed,
  noPrivateModels,
  noSuchPrivateModel,
  tokenRequired,
  tooManyPrivateModels,
} from "./private-models.errors.ts";
import type { PrivateModelRow, PrivateModelsRepository } from "./private-models.repository.ts";

type Deps = {
  db: Database;
  privateModels: PrivateModelsRepository;
  hub: Hub;
  hosting: Hosting;
  plans: PlansRepository;
  /** Returns how many deployments run the model with this key. */
  deploymentsOf(modelKey: string, trx: Database): Promise<number>;
  /** Clears the cache of models, after one was added or deleted. */
  forgetModels(): void;
  audit: Audit;
  clock: Clock;
};

/** Options for loading a private model. */
export type Wanted = {
  revision?: string | undefined;
  hf_token?: string | null | undefined;
  name?: string | undefined;
};

const UNKNOWN_CLASS = "unknown";

/** Use cases of private models: downloaded from the hub, checked, and loaded for one organization only. */
export function createPrivateModels(deps: Deps) {
  const { db, privateModels, hub, hosting, plans, audit, clock } = deps;

  const examine = async (model: HubModel): Promise<CompatibilityResult> => {
    const [architecture] = (model.config?.architectures ?? []) as unknown[];
    const bases = await privateModels.basesOf(typeof architecture === "string" ? architecture : null);
    const result = compatibility(model, bases);
    const checks = [...result.checks, runnableFile(model)];
    return { ...result, checks, compatible: checks.every(({ ok }) => ok) };
  };

  async function find({ organizationId }: SignedIn, id: string): Promise<PrivateModelRow> {
    const row = await privateModels.find(organizationId, id);
    if (!row) throw noSuchPrivateModel();
    return row;
  }

  /** Returns how many the plan allows; null for no limit. Throws `private_models.not_on_plan` for none. */
  function allowed({ plan, quantity }: CurrentPlan): number | null {
    if (plan.private_models === 0) throw noPrivateModels(plan.name);
    return plan.private_models === null ? null : plan.private_models * quantity;
  }

  /**
   * Returns the plans that may call the model; null for all. The restrictions of the public model with this id apply to
   * a private copy too: throws if it is disabled or not on the plan.
   */
  async function admittedPlans(current: CurrentPlan, id: string, parameterSize: number | null) {
    const terms = await privateModels.publicTerms(id);
    if (terms && terms.disabled_at !== null) throw modelDisabled(id);
    const planIds = terms?.plan_ids ?? null;
    admitPlan(current, { id, planIds, parameterSize });
    return planIds;
  }

  /** Checks the token for a gated model and returns its user on the hub; null for a model without a gate. */
  async function proofOfAccess(
    { id, gated }: HubModel,
    token: string | undefined,
  ): Promise<{ user: string | null } | null> {
    if (!gated) return null;
    if (token === undefined) throw tokenRequired(id);
    return hub.verifyAccess(id, token);
  }

  /** Loads the model if its file at the requested commit is on this machine; returns whether it did. */
  async function loaded({ organizationId }: SignedIn, model: HubModel): Promise<boolean> {
    const key = privateModelKey(organizationId, model.id);
    const file = await hosting.files.findFile(model.id, organizationId);
    if (file?.revision !== model.revision || !hosting.findFor(key, organizationId)) return false;
    await hosting.host.wake(key);
    return true;
  }

  return {
    list: ({ organizationId }: SignedIn) => privateModels.list(organizationId),
    find,

    async compatibility(id: string, token: string | undefined) {
      const { candidates: _, ...result } = await examine(await hub.model(id, { token }));
      return result;
    },

    /** Starts downloading a model, or loads it if its file is here. */
    async create(actor: SignedIn, id: string, { revision, hf_token, name }: Wanted): Promise<PrivateModelRow> {
      const { organizationId, userId } = actor;
      const current = await plans.current(organizationId);
      const most = allowed(current);
      const token = hf_token ?? undefined;
      const model = await hub.model(id, { token, revision });
      const known = await privateModels.find(organizationId, model.id);
      if (known && (await loaded(actor, model))) return find(actor, model.id);
      const proof = await proofOfAccess(model, token);
      const result = await examine(model);
      if (!result.compatible) throw incompatible(model.id, result.checks);
      const planIds = await admittedPlans(current, model.id, result.detected.parameter_size);
      const key = privateModelKey(organizationId, model.id);
      const wanted = { model, token, organizationId, createdBy: userId };
      await hosting.modelStore.pull(wanted, async (pull, trx) => {
        const others = await privateModels.countLocked(organizationId, key, trx);
        if (most !== null && others >= most) throw tooManyPrivateModels(most);
        const now = clock.now();
        const entry = {
          ...entryOf(model, result, organizationId),
          plan_ids: planIds,
          created_at: now,
          updated_at: now,
        };
        await privateModels.enter(entry, trx);
        if (proof) {
          const unlock = { organization_id: organizationId, model_id: key, unlocked_by: userId, unlocked_at: now };
          await privateModels.unlock({ ...unlock, method: "token", hub_user: proof.user }, trx);
        }
        const row = {
          organization_id: organizationId,
          model_id: key,
          name: name?.trim() ?? known?.name ?? model.id.slice(model.id.indexOf("/") + 1),
          revision: revision ?? known?.revision ?? "main",
          pull_id: pull.id,
          created_by: userId,
          created_at: now,
          updated_at: now,
        };
        await privateModels.save(row, trx);
        const details = { revision: model.revision, file: pull.file };
        await audit.record({ actor, action: "private_models.create", target: model.id, details }, trx);
      });
      deps.forgetModels();
      return find(actor, model.id);
    },

    /** Unloads the model and cancels its download. Idempotent. */
    async unload(actor: SignedIn, wanted: string): Promise<PrivateModelRow> {
      const { model_id: key, organization_id: organizationId } = await find(actor, wanted);
      const id = modelIdOf(key);
      const stopped = await db.transaction().execute(async (trx) => {
        const pulls = await hosting.files.cancelOf(id, organizationId, clock.now(), trx);
        if (pulls.length === 0 && !hosting.host.isLoaded(key)) return [];
        await privateModels.touch(key, clock.now(), trx);
        await audit.record({ actor, action: "private_models.unload", target: id }, trx);
        return pulls;
      });
      for (const pull of stopped) hosting.pulls.abort(pull.id);
      void hosting.host.unload(key);
      return find(actor, id);
    },

    async delete(actor: SignedIn, wanted: string): Promise<void> {
      const { model_id: key, organization_id: organizationId } = await find(actor, wanted);
      const id = modelIdOf(key);
      const file = await hosting.files.findFile(id, organizationId);
      const stopped = await db.transaction().execute(async (trx) => {
        if (!(await privateModels.lock(organizationId, key, trx))) throw noSuchPrivateModel();
        const count = await deps.deploymentsOf(key, trx);
        if (count > 0) throw isDeployed(count);
        const pulls = await hosting.files.cancelOf(id, organizationId, clock.now(), trx);
        await hosting.files.forgetFile(id, organizationId, trx);
        await privateModels.delete(organizationId, key, trx);
        await audit.record({ actor, action: "private_models.delete", target: id }, trx);
        return pulls;
      });
      for (const pull of stopped) hosting.pulls.abort(pull.id);
      deps.forgetModels();
      await hosting.withdraw(key);
      if (file) await hosting.removeUnused(file.sha256);
    },
  };
}

/** This server runs GGUF files, so a repository needs one in addition to the weights that the other rules check. */
function runnableFile({ files }: HubModel): CompatibilityResult["checks"][number] {
  const file = chooseFile(files);
  const detail = file ? `${file.path} can be loaded.` : "There is no GGUF file, which is what this server runs.";
  return { id: "runnable_file", label: "A file that this server can load", ok: file !== null, detail };
}

export type PrivateModels = ReturnType<typeof createPrivateModels>;

/** Returns the model's columns in the catalogue. */
function entryOf(
  model: HubModel,
  { model_class, candidates, detected }: CompatibilityResult,
  organizationId: string,
): Insertable<Models> & { organization_id: string } {
  const { id, license, readme, baseModel } = model;
  const slash = id.indexOf("/");
  const context = model.config?.max_position_embeddings;
  const key = privateModelKey(organizationId, id);
  return {
    id: key,
    id_lower: key.toLowerCase(),
    owned_by: id.slice(0, slash),
    name: id.slice(slash + 1),
    model_class_id: model_class ?? candidates[0] ?? UNKNOWN_CLASS,
    parameter_size: detected.parameter_size,
    context_length: typeof context === "number" && Number.isInteger(context) && context > 0 ? context : null,
    description: "A private model.",
    readme,
    license,
    tags: [...model.tags],
    languages: [...model.languages],
    architecture: detected.architecture,
    base_model: baseModel,
    is_gated: model.gated,
    is_private: true,
    organization_id: organizationId,
    source: "private",
  };
}
