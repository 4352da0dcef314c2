import type { FastifyRequest } from "fastify";
import { errors } from "../platform/core/errors/index.ts";
import type { Contract, ContractOperation } from "./contract.ts";

/** Methods that some route accepts. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** Returns the methods that the contract has for the path of a URL; empty for an unknown path. */
export type MethodLookup = (url: string) => string[];

/**
 * Creates a lookup of methods by URL. HEAD is included with GET. Where several paths of the contract match, the one with the
 * fewest parameters counts: `/account/concurrency/stream` is not the id `stream`.
 */
export function createMethodLookup({ operations }: Pick<Contract, "operations">): MethodLookup {
  const patterns = [...operations.values()].map(toPattern);
  return (url) => {
    const path = url.split("?")[0] ?? "/";
    const matching = patterns.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...matching.map(({ parameters }) => parameters));
    return matching.filter(({ parameters }) => parameters === fewest).flatMap(({ methods }) => methods);
  };
}

function toPattern({ method, path }: Pick<ContractOperation, "method" | "path">) {
  return {
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    parameters: path.match(/\{\w+\}/g)?.length ?? 0,
    pattern: new RegExp(`^/api${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  };
}

/**
 * Throws 405 with the path's methods for a method that the path does not have; for methods that no route has, Fastify would
 * require a content type. Throws 404 for an unknown call. Pages and files are read with GET.
 */
export function refuseUnknownMethod({ method, url, routeOptions }: FastifyRequest, findMethods: MethodLookup): void {
  const isCall = url.startsWith("/api/");
  if (METHODS.has(method)) {
    const isFound = routeOptions.url?.startsWith("/api/") === true;
    // Calls for admins are 404 for everybody else, and the caller is not known yet.
    if (!isCall || isFound || url.startsWith("/api/admin/")) return;
  }
  const methods = isCall ? findMethods(url) : ["GET", "HEAD"];
  // The handler of unknown addresses responds, or the router if a part of the path is too long for it.
  if ((methods.length === 0 && METHODS.has(method)) || methods.includes(method)) return;
  if (methods.length === 0) throw unknownCall();
  if (isOnlyOwner(method, url, findMethods))
    throw errors.notFound("There is no such model: an id is written owner/name.");
  throw errors.invalidRequest(`${method} is not a method of this address, which takes ${methods.join(", ")}.`, {
    status: 405,
    headers: { allow: methods.join(", ") },
  });
}

/**
 * Returns whether a path names half an id of a model, and then a part that was taken for the other half: `DELETE
 * /feather/models/qwen/favorite` is no wrong method of the model `qwen/favorite`.
 */
function isOnlyOwner(method: string, url: string, findMethods: MethodLookup): boolean {
  return findMethods(url.replaceAll(/%2f/gi, "/")).includes(method);
}

/** Returns the error for a path that the contract does not have. */
export function unknownCall() {
  return errors.notFound("There is no such call. The reference lists them all: /api/openapi.json");
}

/** Matches the path of a call with a doubled slash or a doubled `/v1`, which a wrong base URL causes. */
const MISSPELLED_CALL = /^\/*(?:\/api)?\/(?=\/+v1\/|v1\/+v1\/|v1\/\/)/;

/** Returns whether a path is that of a call with a doubled slash or a doubled `/v1`. */
export function isMisspelledCall(path: string): boolean {
  return MISSPELLED_CALL.test(path);
}

/** Returns the error for such a path, and the corrected path, which determines the envelope of the error. */
export function misspelledCall(path: string) {
  const meant = path.replaceAll(/\/{2,}/g, "/").replace(/(?:\/v1)+(?=\/)/, "/v1");
  const message = `There is no such call. ${path} has ${/\/\//.test(path) ? "a doubled slash" : "/v1 twice"}: was ${meant} meant? Check the base address that your program is set to; some add /v1 themselves.`;
  return { meant, error: errors.notFound(message) };
}
