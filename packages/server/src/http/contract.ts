import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AccessRequirements, allowsAnonymous, type Security } from "../platform/core/auth/actor.ts";
import { isPermission, type Permission } from "../platform/core/auth/permissions.ts";
import { isRateLimitName, type RateLimitName } from "../platform/core/http/rate-limits.ts";
import type { ContractDocument, OperationObject, ParameterObject } from "./contract-document.ts";
import { type RouteSchemas, readRouteSchemas } from "./route-schemas.ts";

/** Body limit of operations without `x-body-limit`. */
export const DEFAULT_BODY_LIMIT_BYTES = 64 * 1024;

/** An operation of the contract in the form that the server uses. */
export type ContractOperation = AccessRequirements & {
  operationId: string;
  method: string;
  /** Path template below `/api`, such as `/api-keys/{id}`. */
  path: string;
  security: Security;
  /** Accepted content types; empty for operations without a body. */
  bodyTypes: readonly string[];
  requiresBody: boolean;
  /** Maximum size of the body in bytes. */
  bodyLimit: number;
  /** The rate limit that a call counts against (`x-rate-limit`). */
  rateLimit: RateLimitName | null;
  /**
   * Whether the handler stores the `Idempotency-Key` with its result, so that an interrupted call can safely run again.
   */
  storesIdempotencyKey: boolean;
  /** Whether it answers with an event stream that stays open until its reader closes it. */
  followsEvents: boolean;
  /** The first declared success status, the default status of a response. */
  successStatus: number;
};

/** A path template below `/api` with a model id, such as `/feather/models/{id}/unlock`, and the name of that parameter. */
export type ModelPath = { template: string; parameter: string };

/** The OpenAPI document, its operations and their schemas by operationId, and its paths with a model id (`x-model-id`). */
export type Contract = {
  document: ContractDocument;
  operations: ReadonlyMap<string, ContractOperation>;
  schemas: ReadonlyMap<string, RouteSchemas>;
  modelPaths: readonly ModelPath[];
};

/** The operations of a server that only answers calls to models: those calls, what is asked about them, and its health. */
const GATEWAY_PATHS = /^\/(v1\/|deployments\/\{id\}\/v1\/|health\/|openapi\.json$)/;

/** Returns the contract of a server that only answers calls to models. */
export function toGatewayContract(contract: Contract): Contract {
  const { operations, document } = contract;
  return {
    ...contract,
    document: { ...document, paths: keepGatewayPaths(document.paths) },
    operations: new Map([...operations].filter(([, { path }]) => GATEWAY_PATHS.test(path))),
  };
}

function keepGatewayPaths(paths: ContractDocument["paths"]): ContractDocument["paths"] {
  return Object.fromEntries(Object.entries(paths).filter(([path]) => GATEWAY_PATHS.test(path)));
}

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"];

/** Reads the bundled OpenAPI document. */
export function loadContract(): Contract {
  const file = createRequire(import.meta.url).resolve("@feather/openapi/openapi.json");
  const document = JSON.parse(readFileSync(file, "utf8")) as ContractDocument;
  const operations = new Map<string, ContractOperation>();
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation?.operationId) continue;
      const security = operation.security ?? document.security ?? [];
      const success = Object.keys(operation.responses ?? {}).find((status) => status.startsWith("2"));
      operations.set(operation.operationId, {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        security,
        permission: permissionOf(operation),
        allowsImpersonation: operation["x-impersonation"] !== "forbidden",
        allowsMissingSecondFactor: operation["x-second-factor"] === "setup" || allowsAnonymous(security),
        bodyTypes: Object.keys(operation.requestBody?.content ?? {}),
        requiresBody: operation.requestBody?.required === true,
        bodyLimit: operation["x-body-limit"] ?? DEFAULT_BODY_LIMIT_BYTES,
        rateLimit: rateLimitOf(operation),
        storesIdempotencyKey: (operation.parameters ?? []).some(
          ({ $ref }) => $ref?.endsWith("/idempotencyKey") ?? false,
        ),
        followsEvents: method === "get" && declaresEventStream(operation.responses?.[success ?? ""]),
        successStatus: Number(success ?? 200),
      });
    }
  return { document, operations, schemas: readRouteSchemas(document), modelPaths: findModelPaths(document) };
}

function findModelPaths({ paths, components }: ContractDocument): ModelPath[] {
  return Object.entries(paths).flatMap(([template, item]) => {
    const parameters = (item as { parameters?: readonly ParameterObject[] }).parameters ?? [];
    return parameters
      .map(({ $ref, ...parameter }) => components.parameters?.[$ref?.split("/").at(-1) ?? ""] ?? parameter)
      .flatMap(({ name, "x-model-id": isModelId }) => (isModelId && name ? [{ template, parameter: name }] : []));
  });
}

function rateLimitOf({ operationId, "x-rate-limit": name }: OperationObject): RateLimitName | null {
  if (name === undefined) return null;
  if (!isRateLimitName(name)) throw new Error(`${operationId}: ${name} is not a rate limit.`);
  return name;
}

function declaresEventStream(response: { content?: Record<string, object> } | undefined): boolean {
  return response?.content !== undefined && "text/event-stream" in response.content;
}

function permissionOf({ operationId, "x-permission": name }: OperationObject): Permission | null {
  if (name === undefined) return null;
  if (!isPermission(name)) throw new Error(`${operationId}: ${name} is not a permission.`);
  return name;
}
