import type { SignedInActor } from "../platform/core/auth/actor.ts";
import { type AppError, errors } from "../platform/core/errors/index.ts";
import { findFirst, type ListModelsOf } from "./alias-names.ts";
import type { TokenizerEndpoint } from "./backends/dialects.ts";
import type { Backend, BackendRegistry } from "./backends/registry.ts";
import type { CallableModel, CallerPlan, ModelLookup } from "./ports.ts";
import { admitKey, admitPlan } from "./stages/admit.ts";
import { keepPermitted, type MayCallElsewhere, onlyElsewhere } from "./stages/stay-here.ts";
import { toUpstreamError } from "./upstream/dispatch.ts";
import { fetchResponse, parseJsonObject, type UpstreamResponse } from "./upstream/response.ts";
import { parseUpstreamRefusal } from "./upstream/upstream-refusal.ts";
import { UnsuitableBackendError, upstreamError } from "./upstream-errors.ts";

type Deps = {
  models: Pick<ModelLookup, "find">;
  listModelsOf: ListModelsOf;
  registry: BackendRegistry;
  currentPlan(organizationId: string): Promise<CallerPlan>;
  mayCallElsewhere: MayCallElsewhere;
};

/** Time limit in milliseconds for the response of a backend and between two parts of it. */
const TIMEOUT_MS = 10_000;
const MAX_DURATION_MS = 30_000;

/** Creates the tokenizer, which uses a backend of the model. It holds no units, since nothing is generated. */
export function createTokenizer({ models, listModelsOf, registry, currentPlan, mayCallElsewhere }: Deps) {
  async function requestTokens(
    backend: Backend,
    { path, body }: TokenizerEndpoint,
    model: CallableModel,
    text: string,
  ) {
    const key = registry.chooseKey(backend);
    using _lease = registry.acquire(backend, key);
    const response = await fetchResponse({
      dispatcher: backend.agent,
      signal: AbortSignal.timeout(MAX_DURATION_MS),
      options: {
        origin: backend.origin,
        path: backend.basePath.replace(/\/v1$/, "") + path,
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key !== null && { authorization: `Bearer ${key.secret}` }),
        },
        body: JSON.stringify(body(backend.models.get(model.key) ?? model.key, text)),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      },
    });
    return parseTokens(response, backend, model);
  }

  return {
    /**
     * Returns the model of an id, or the first of an alias that the caller may call. Throws if the caller's key or plan allows
     * none.
     */
    async findAdmittedModel(actor: SignedInActor, name: string): Promise<CallableModel> {
      const { organizationId } = actor;
      const [ids, plan] = await Promise.all([listModelsOf(name, organizationId), currentPlan(organizationId)]);
      return findFirst(ids, async (id) => {
        const model = await models.find(id, organizationId);
        admitKey(actor, model);
        admitPlan(plan, model);
        return model;
      });
    },

    /**
     * Returns the token ids of a text, or null if no backend of the model to which it may be sent has a tokenizer. Throws
     * `model_only_elsewhere` if it may be sent to none.
     */
    async tokenize(actor: SignedInActor, model: CallableModel, text: string): Promise<number[] | null> {
      const running = registry.candidates(model.key);
      if (running.length === 0) throw errors.capacityExhausted(`No backend runs ${model.id} just now.`);
      const backends = await keepPermitted(running, actor.organizationId, mayCallElsewhere);
      if (backends.length === 0) throw onlyElsewhere(model.id, actor);
      for (const backend of backends) {
        // Keys of such a backend only list its models.
        if (backend.tokenizer === null || backend.ownKeys === "required") continue;
        try {
          return await requestTokens(backend, backend.tokenizer, model, text);
        } catch (error) {
          if (!(error instanceof UnsuitableBackendError)) throw toUpstreamError(error);
        }
      }
      return null;
    },
  };
}

export type TokenCounter = ReturnType<typeof createTokenizer>;

/** Returns an error with status 400: no backend of the model can tokenize. */
export function tokenizerUnavailable(model: CallableModel): AppError {
  const message = `What runs ${model.id} cannot split texts into tokens.`;
  return errors.unsupportedParameter(message, { param: "model" });
}

function parseTokens(response: UpstreamResponse, backend: Backend, model: CallableModel): number[] {
  if (response.statusCode !== 200) throw parseUpstreamRefusal(response, backend, { kind: "tokens", model });
  const answer = parseJsonObject(response.text);
  if (answer !== null && Array.isArray(answer.tokens)) {
    const tokens = answer.tokens.filter((token) => Number.isInteger(token));
    if (tokens.length === answer.tokens.length) return tokens;
  }
  throw upstreamError("The backend sent something that is no list of tokens.");
}
