import type { Server } from "node:http";
import type { FastifyInstance, RouteOptions } from "fastify";
import type { SignedInActor } from "../platform/core/auth/actor.ts";
import type { Exchange } from "../platform/core/http/exchange.ts";
import type { ContractOperation } from "./contract.ts";
import type { DirectCalls, DirectOperation } from "./direct-calls.ts";
import type { Validate } from "./validation.ts";

/** The functions that run the calls, by operationId. */
type Calls = Readonly<Record<string, (actor: SignedInActor, exchange: Exchange) => Promise<void>>>;
type Deps = {
  calls: Calls;
  operations: ReadonlyMap<string, ContractOperation>;
  compileBody(schema: object): Validate;
};
type RouteSchema = { headers?: { properties?: object }; body?: { content?: Record<string, { schema?: object }> } };

/**
 * Returns the operations that can be answered directly, by URL: below `/api`, and at the root, where OpenAI's clients
 * expect them. The map is filled while the routes of the contract are registered, whose schemas it uses. Throws for an
 * operation with a rate limit, which direct calls do not count.
 */
export function collectDirectOperations(app: FastifyInstance, deps: Deps): ReadonlyMap<string, DirectOperation> {
  const found = new Map<string, DirectOperation>();
  const byUrl = new Map(
    Object.keys(deps.calls).map((id) => [`/api${requireOperation(deps, id).path}`, requireOperation(deps, id)]),
  );
  app.addHook("onRoute", ({ url, method, schema }: RouteOptions) => {
    const operation = byUrl.get(url);
    const run = operation && deps.calls[operation.operationId];
    if (operation === undefined || run === undefined || method !== operation.method) return;
    const { headers, body } = schema as RouteSchema;
    const direct: DirectOperation = {
      operation,
      headerNames: Object.keys(headers?.properties ?? {}).map((name) => name.toLowerCase()),
      validateBody: deps.compileBody(body?.content?.["application/json"]?.schema ?? {}),
      run,
    };
    for (const path of [url, url.slice("/api".length)]) found.set(path, direct);
  });
  return found;
}

function requireOperation({ operations }: Deps, id: string): ContractOperation {
  const operation = operations.get(id);
  if (operation === undefined || operation.rateLimit !== null) throw new Error(`${id} cannot be answered directly.`);
  return operation;
}

/** Makes a server try the direct calls first, and handle the other requests as before. */
export function answerDirectly(server: Server, answers: DirectCalls): void {
  const [handle] = server.listeners("request");
  if (handle === undefined) throw new Error("The server has no handler of requests.");
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!answers(request, response)) handle.call(server, request, response);
  });
}
