import {
  type ParsedRequest,
  readChatRequest,
  readCompletionsRequest,
  readEmbeddingsRequest,
  requireModel,
} from "../../gateway/index.ts";
import { type Actor, type SignedInActor, scopeDenied } from "../../platform/core/auth/actor.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Exchange } from "../../platform/core/http/exchange.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { modelIdOf } from "../../platform/core/models/model-keys.ts";
import type { DeploymentServices } from "./deployment-services.ts";
import type { DeploymentRow } from "./deployments.repository.ts";

type Input = { path: { id: string }; actor: Actor; exchange: Exchange };

/** Handlers of OpenAI's calls below the URL of a deployment. */
export function deploymentCallRoutes({ services }: { services: DeploymentServices }): Handlers {
  const { deploymentsRepository, tokens, calls } = services;

  /** Returns the deployment if the caller may call it. The errors do not reveal whether it exists. */
  async function authorizeCall(
    id: string,
    actor: Actor,
  ): Promise<{ deployment: DeploymentRow; caller: SignedInActor | null }> {
    const row = await deploymentsRepository.find(id);
    const deployment = row?.deleting ? undefined : row;
    const isPublic = deployment?.visibility === "public";
    if (actor.kind === "user") {
      const isOwnDeployment = deployment?.organization_id === actor.organizationId;
      if (!deployment || !(isOwnDeployment || isPublic)) throw errors.deployments.notFound();
      return { deployment, caller: isOwnDeployment ? actor : null };
    }
    const { deploymentToken, missingScope } = actor;
    const hasAccess = deploymentToken === undefined ? isPublic : await tokens.grantsAccess(id, deploymentToken);
    if (!deployment || !hasAccess)
      throw missingScope === undefined ? errors.deployments.unauthorized() : scopeDenied(missingScope);
    return { deployment, caller: null };
  }

  async function call({ path, actor, exchange }: Input, parsed: ParsedRequest): Promise<void> {
    const authorized = await authorizeCall(path.id, actor);
    await calls({ ...authorized, ...parsed, exchange });
  }

  return {
    "deployments.chat.completions.create": (input) =>
      call(input, readChatRequest(requireModel(input.body), input.exchange.id)),
    "deployments.completions.create": (input) =>
      call(input, readCompletionsRequest(requireModel(input.body), input.exchange.id)),
    "deployments.embeddings.create": (input) => call(input, readEmbeddingsRequest(input.body)),
    "deployments.models": async ({ path, actor }) => {
      const { deployment } = await authorizeCall(path.id, actor);
      const { model_id: modelKey, created_at } = deployment;
      const id = modelIdOf(modelKey);
      const created = Math.floor(created_at.getTime() / 1000);
      const owned_by = id.slice(0, id.indexOf("/"));
      return { object: "list", data: [{ id, object: "model", created, owned_by }] };
    },
  };
}
