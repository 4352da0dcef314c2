import type { FastifyRequest } from "fastify";
import { errors } from "../core/errors/index.ts";
import type { Contract, ContractOperation } from "./contract.ts";

/** Methods that some route accepts. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** Returns the methods that the contract has for the path of a URL; empty for an unknown path. */
export type MethodLookup = (url: string) => string[];

/** Creates a lookup of methods by URL. HEAD is included with GET. */
export function createMethodLookup({ operations }: Pick<Contract, "operations">): MethodLookup {
  const patterns = [...operations.values()].map(toPattern);
  return (url) => {
    const path = url.split("?")[0] ?? "/";
    return patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
  };
}

function toPattern({ method, path }: Pick<ContractOperation, "method" | "path">) {
  return {
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    pattern: new RegExp(`^/api${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  };
}

/**
 * Throws 405 with the path's methods for a method that no route accepts; for some of them Fastify would require a content
 * type. Throws 404 where there is no such call. Pages and files are read with GET.
 */
export function refuseUnknownMethod({ method, url }: FastifyRequest, findMethods: MethodLookup): void {
  if (METHODS.has(method)) return;
  const methods = url.startsWith("/api/") ? findMethods(url) : ["GET", "HEAD"];
  if (methods.length === 0) throw unknownCall();
  throw errors.invalidRequest(`${method} is not a method of this address, which takes ${methods.join(", ")}.`, {
    status: 405,
    headers: { allow: methods.join(", ") },
  });
}

/** The error for a path that the contract does not have. */
export function unknownCall() {
  return errors.notFound("There is no such call. The reference lists them all: /api/openapi.json");
}
