import type { components } from "@feather/openapi/schema";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import type { Hosting } from "../hosts/index.ts";
import { type HostedModel, runtimeNameOf } from "../runtimes/index.ts";
import { type HostingState, toPrivateModelState } from "./private-model-state.ts";
import type { PrivateModelRow } from "./private-models.repository.ts";
import type { PrivateModels } from "./private-models.usecases.ts";

type PrivateModel = components["schemas"]["PrivateModel"];
type Deps = { privateModels: PrivateModels; hosting: Hosting };

/** Handlers of `privateModels.*`. */
export function privateModelRoutes({ privateModels, hosting }: Deps): Handlers {
  const toDto = (row: PrivateModelRow) => {
    const hosted = hosting.findForOrganization(row.model_id, row.organization_id);
    return toPrivateModelDto(row, hosted, hosted && toHostingState(hosting, hosted.id));
  };

  return {
    "privateModels.list": async ({ actor }) => ({
      items: (await privateModels.list(actor)).map(toDto),
    }),
    "privateModels.get": async ({ actor, path }) => toDto(await privateModels.find(actor, path.id)),
    "privateModels.compatibility": async ({ actor, path, request }) => {
      const token = request.headers["x-hub-token"];
      return privateModels.compatibility(actor, path.id, typeof token === "string" ? token : undefined);
    },
    "privateModels.create": async ({ actor, path, body }) => {
      const caller: SignedInActor = actor;
      return toDto(await privateModels.create(caller, path.id, body ?? {}));
    },
    "privateModels.unload": async ({ actor, path }) => toDto(await privateModels.unload(actor, path.id)),
    "privateModels.delete": async ({ actor, path }) => {
      await privateModels.delete(actor, path.id);
      return undefined;
    },
  };
}

function toHostingState({ host }: Hosting, key: string): HostingState {
  if (host.isWarm(key)) return { state: "warm" };
  const problem = host.loadingProblem(key);
  if (problem !== null) return { state: "failed", reason: problem };
  const { stage, progress, reason = null } = host.availability(key) ?? { stage: null, progress: null };
  if (stage === null) return { state: "cold" };
  return stage === "unloading" ? { state: "unloading" } : { state: "loading", progress, reason };
}

function toPrivateModelDto(row: PrivateModelRow, hosted: HostedModel | null, state: HostingState): PrivateModel {
  const { pull_state, pull_error, pull_updated_at, bytes_done, bytes_total, conversion_progress } = row;
  const download =
    pull_state === null
      ? null
      : {
          state: pull_state,
          bytesDone: bytes_done ?? 0,
          bytesTotal: bytes_total ?? 0,
          converted: conversion_progress,
          error: pull_error,
        };
  const updatedAt = pull_updated_at && pull_updated_at > row.updated_at ? pull_updated_at : row.updated_at;
  return {
    id: modelIdOf(row.model_id),
    name: row.name,
    revision: row.revision,
    ...toPrivateModelState(download, state),
    runtime: hosted && runtimeNameOf(hosted),
    model_class: row.model_class_id,
    created_at: row.created_at.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
