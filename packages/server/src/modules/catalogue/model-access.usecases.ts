import type { Database } from "../../db/connect.ts";
import { type Actor, impersonatorOf, type SignedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest } from "../../shared/errors.ts";
import type { Sealer } from "../../shared/sealing.ts";
import type { Audit } from "../audit/audit.ts";
import type { Hub } from "../hub/hub.ts";
import { type CallableModels, modelNotFound } from "./callable-models.ts";
import type { CatalogueRepository, ModelRow } from "./catalogue.repository.ts";
import { noSuchModel } from "./catalogue.usecases.ts";
import type { LiveModels } from "./live-models.ts";
import { type ModelIntake, refuseIncompatible } from "./model-intake.ts";
import type { ModelsRepository } from "./models.repository.ts";
import type { Reader } from "./reader.ts";

type Deps = {
  db: Database;
  catalogue: CatalogueRepository;
  models: ModelsRepository;
  intake: ModelIntake;
  hub: Hub;
  live: Pick<LiveModels, "availability">;
  callableModels: Pick<CallableModels, "forget">;
  limits: AddressLimits;
  audit: Audit;
  /** Encrypts hub tokens for storage; null if the operator does not store them. */
  sealer: Sealer | null;
  clock: Clock;
};
type Wanted = { scrape: boolean; modelClass: string | undefined };

/** Use cases of users: opens a model's page, requests a model, unlocks a gated one. */
export function createModelAccess(deps: Deps) {
  const { db, catalogue, models, intake, hub, live, callableModels, limits, audit, sealer, clock } = deps;

  async function detail(actor: Actor, reader: Reader, id: string, { scrape, modelClass }: Wanted) {
    const row = await catalogue.find(id, reader);
    if (row) {
      if (modelClass !== undefined && row.model_class_id !== modelClass) throw noSuchModel(id);
      return row;
    }
    if (!scrape || actor.kind === "anonymous") throw await modelNotFound(db, id);
    await limits.spend("hub", actor.ip ?? "", actor.userId);
    return scraped(actor, reader, id, modelClass);
  }

  async function scraped(actor: SignedIn, reader: Reader, id: string, modelClass: string | undefined) {
    const reading = await intake.readOnceADay(id).catch(async (error: unknown) => {
      throw error instanceof AppError && error.code === "hub.not_found" ? await modelNotFound(db, id) : error;
    });
    // A private repository of the hub must not appear in the public catalogue.
    if (reading.model.private) throw await modelNotFound(db, id);
    const place = await intake.classFor(reading, modelClass);
    const row = { ...intake.facts(reading), ...place, source: "hub" };
    await db.transaction().execute(async (trx) => {
      const added = await models.insert(row, clock.now(), trx);
      if (added) await audit.record({ actor, action: "models.scrape", target: row.id }, trx);
    });
    callableModels.forget();
    const known = await catalogue.find(row.id, reader);
    if (!known) throw await modelNotFound(db, id); // deleted in the meantime
    return known;
  }

  async function request(actor: SignedIn, reader: Reader, id: string, token: string | null): Promise<string> {
    const known = await catalogue.find(id, reader);
    const before = await models.requestOf(actor.organizationId, known?.id ?? id);
    if (known && live.availability(known.key).tier !== "offline")
      throw new AppError(409, "models.already_runs", `${known.id} runs here already. Just call it.`);
    if (known?.is_private) throw new AppError(409, "models.private", `${known.id} is a private model of yours.`);
    if (before) return known?.id ?? before.model_id;
    const found = known ? { id: known.id, revision: null } : await wantedFromHub(actor, id, token);
    await db.transaction().execute(async (trx) => {
      const row = {
        organization_id: actor.organizationId,
        id_lower: found.id.toLowerCase(),
        model_id: found.id,
        requested_by: actor.userId,
        hub_revision: found.revision,
        hub_token: token === null ? null : (sealer?.seal(token) ?? null),
        created_at: clock.now(),
      };
      const added = await models.request(row, trx);
      if (added) await audit.record({ actor, action: "models.request", target: found.id }, trx);
    });
    return found.id;
  }

  async function wantedFromHub(actor: SignedIn, id: string, token: string | null) {
    await limits.spend("hub", actor.ip ?? "", actor.userId);
    const { model, result } = await intake.read(id, token ?? undefined).catch(async (error: unknown) => {
      throw error instanceof AppError && error.code === "hub.not_found" ? await modelNotFound(db, id) : error;
    });
    refuseIncompatible(model.id, result);
    return { id: model.id, revision: model.revision };
  }

  async function unlock(actor: SignedIn, reader: Reader, id: string, token: string | undefined) {
    const model = await catalogue.find(id, reader);
    if (!model) throw await modelNotFound(db, id);
    const { organizationId } = actor;
    const before = await models.unlock(organizationId, model.key);
    if (before) return before;
    if (model.is_gated !== true)
      throw new AppError(400, "models.not_gated", `${model.id} is not gated; there is nothing to unlock.`);
    const { hubUser, method } = await proof(actor, model, token);
    await db.transaction().execute(async (trx) => {
      const row = {
        organization_id: organizationId,
        model_id: model.key,
        method,
        hub_user: hubUser,
        hub_token: token === undefined ? null : (sealer?.seal(token) ?? null),
        unlocked_by: actor.userId,
        unlocked_at: clock.now(),
      };
      const added = await models.addUnlock(row, trx);
      if (added) await audit.record({ actor, action: "models.unlock", target: model.id, details: { method } }, trx);
    });
    callableModels.forget();
    const unlocked = await models.unlock(organizationId, model.key);
    if (!unlocked) throw noSuchModel(id); // deleted in the meantime
    return unlocked;
  }

  /** Checks that the organization may use the model: its token can read it, or an administrator waives the check. */
  async function proof(actor: SignedIn, model: ModelRow, token: string | undefined) {
    if (token !== undefined) {
      await limits.spend("hub", actor.ip ?? "", actor.userId);
      return { method: "token", hubUser: (await hub.verifyAccess(model.id, token)).user };
    }
    if (!actor.isAdmin || impersonatorOf(actor) !== null)
      throw invalidRequest("access_token is required: a token of the hub that may read this model.", {
        param: "access_token",
      });
    return { method: "waived", hubUser: null };
  }

  return { detail, request, unlock };
}

export type ModelAccess = ReturnType<typeof createModelAccess>;
