import { CALL_OPERATIONS, type CallOperation } from "../../platform/core/http/call-operations.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Contract, ContractOperation } from "../contract.ts";
import type { Validate, Validators } from "../validation.ts";
import { readCallSchemas } from "./call-schemas.ts";

/** The longest part of a path that can be an id; Fastify answers longer ones. */
const MAX_PARAMETER_LENGTH = 512;

/** Calls a model, for an operation that is only known at run time. */
type AnyCallHandler = (input: object) => Promise<void>;

/** An operation that calls a model. */
export type CallRoute = {
  operation: ContractOperation;
  /** Undefined for an operation that this server does not have. */
  handler: AnyCallHandler | undefined;
  /** The names of the request headers that the contract declares for it, in lower case. */
  headerNames: readonly string[];
  validatePath: Validate;
  validateHeaders: Validate;
  validateBody: Validate;
  /** Whether the body is a form with a file, and not JSON. */
  takesForm: boolean;
};

/** A route and the parameters in the requested path. */
export type FoundCall = { route: CallRoute; path: Readonly<Record<string, string>> };

/** Finds the route of a call to a model; null for any other URL. */
export type CallRoutes = {
  /** Looks up a URL as most programs send it, such as `/v1/chat/completions`, which is cheap. */
  findExact(url: string): FoundCall | null;
  /** Looks up a canonical URL, such as `/api/v1/chat/completions`. */
  findCanonical(url: string): FoundCall | null;
};

/** Creates the routes of the calls to models, as far as the contract has them: that of a server for these calls alone has fewer. */
export function createCallRoutes(contract: Contract, handlers: Handlers, validators: Validators): CallRoutes {
  const routes = CALL_OPERATIONS.flatMap((id) => toRoute(contract, handlers, validators, id) ?? []);
  const isFixed = ({ operation }: CallRoute) => !operation.path.includes("{");
  const fixed = new Map<string, FoundCall>();
  for (const route of routes.filter(isFixed))
    for (const url of [route.operation.path, `/api${route.operation.path}`]) fixed.set(url, { route, path: {} });
  const withParameters = routes
    .filter((route) => !isFixed(route))
    .map((route) => ({ route, pattern: toPattern(route.operation.path) }));
  return {
    findExact: (url) => fixed.get(url) ?? null,
    findCanonical(url) {
      const path = pathOf(url);
      const found = fixed.get(path);
      if (found !== undefined) return found;
      for (const { route, pattern } of withParameters) {
        const parameters = pattern.exec(path)?.groups;
        if (parameters !== undefined) return toFoundCall(route, parameters);
      }
      return null;
    },
  };
}

/** Returns the path of a URL without a slash at its end. */
function pathOf(url: string): string {
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

function toPattern(template: string): RegExp {
  return new RegExp(`^/api${template.replaceAll(/\{(\w+)\}/g, `(?<$1>[^/]{1,${MAX_PARAMETER_LENGTH}})`)}$`);
}

function toFoundCall(route: CallRoute, encoded: Readonly<Record<string, string>>): FoundCall {
  const path = Object.fromEntries(Object.entries(encoded).map(([name, text]) => [name, decodeURIComponent(text)]));
  return { route, path };
}

function toRoute(contract: Contract, handlers: Handlers, validators: Validators, id: CallOperation): CallRoute | null {
  const operation = contract.operations.get(id);
  if (operation === undefined) return null;
  const { path, headers, bodyReference, takesForm } = readCallSchemas(contract, operation);
  return {
    operation,
    handler: handlers[id] as AnyCallHandler | undefined,
    headerNames: Object.keys(headers.properties),
    validatePath: validators.forRequest(path, "params"),
    validateHeaders: validators.forRequest(headers, "headers"),
    validateBody: takesForm
      ? validators.forForm(contract.document, bodyReference)
      : validators.forBody(contract.document, bodyReference),
    takesForm,
  };
}
