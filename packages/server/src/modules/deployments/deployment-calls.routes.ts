import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallBody, CallKind } from "../../gateway/call.ts";
import { type Actor, type SignedIn, scopeDenied } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { modelIdOf } from "../../shared/model-keys.ts";
import { noSuchDeployment, notOpened } from "./deployments.errors.ts";
import type { DeploymentRow } from "./deployments.repository.ts";
import type { PrivateCloud } from "./private-cloud.ts";

type Input = { path: { id: string }; actor: Actor; body: CallBody; request: FastifyRequest; reply: FastifyReply };

/** Handlers of OpenAI's calls below the URL of a deployment. */
export function deploymentCallRoutes({ privateCloud }: { privateCloud: PrivateCloud }): Handlers {
  const { rows, tokens, calls } = privateCloud;

  /** Returns the deployment if the caller may call it. The errors do not reveal whether it exists. */
  async function opened(id: string, actor: Actor): Promise<{ deployment: DeploymentRow; caller: SignedIn | null }> {
    const row = await rows.find(id);
    const deployment = row?.deleting ? undefined : row;
    const isOpen = deployment?.visibility === "public";
    if (actor.kind === "user") {
      const isTheirs = deployment?.organization_id === actor.organizationId;
      if (!deployment || !(isTheirs || isOpen)) throw noSuchDeployment();
      return { deployment, caller: isTheirs ? actor : null };
    }
    const { deploymentToken, missingScope } = actor;
    const isHeld = deploymentToken === undefined ? isOpen : await tokens.opens(id, deploymentToken);
    if (!deployment || !isHeld) throw missingScope === undefined ? notOpened() : scopeDenied(missingScope);
    return { deployment, caller: null };
  }

  async function call(kind: CallKind, { path, actor, body, request, reply }: Input): Promise<FastifyReply> {
    return calls({ ...(await opened(path.id, actor)), kind, body, request, reply });
  }

  return {
    "deployments.chat.completions.create": (input) => call("chat", input),
    "deployments.completions.create": (input) => call("completion", input),
    "deployments.embeddings.create": (input) => call("embedding", input),
    "deployments.models": async ({ path, actor }) => {
      const { deployment } = await opened(path.id, actor);
      const { model_id: modelKey, created_at } = deployment;
      const id = modelIdOf(modelKey);
      const created = Math.floor(created_at.getTime() / 1000);
      const owned_by = id.slice(0, id.indexOf("/"));
      return { object: "list", data: [{ id, object: "model", created, owned_by }] };
    },
  };
}
