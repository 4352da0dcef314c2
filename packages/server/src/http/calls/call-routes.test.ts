import { describe, expect, test } from "vitest";
import { CALL_OPERATIONS } from "../../platform/core/http/call-operations.ts";
import { createCanonicalUrl } from "../canonical-url.ts";
import { loadContract, toGatewayContract } from "../contract.ts";
import { createValidators } from "../validation.ts";
import { createCallRoutes, type FoundCall } from "./call-routes.ts";

const contract = loadContract();
const routes = createCallRoutes(contract, {}, createValidators());
const toCanonicalUrl = createCanonicalUrl(contract.modelPaths);

const idOf = (found: FoundCall | null) => found?.route.operation.operationId ?? null;

describe("the routes of calls to models", () => {
  test.each(CALL_OPERATIONS)("%s is found at its path", (operationId) => {
    const path = contract.operations.get(operationId)?.path.replace("{id}", "dep_1") ?? "";
    expect(idOf(routes.findCanonical(`/api${path}`))).toBe(operationId);
    expect(idOf(routes.findCanonical(`/api${path}/?a=1`))).toBe(operationId);
  });

  test.each(["/v1/chat/completions", "/api/v1/embeddings"])("%s is found as it is sent", (url) => {
    expect(routes.findExact(url)).not.toBeNull();
  });

  test.each([
    "/api/v1/models",
    "/api/v1/chat",
    "/api/v1/chat/completions/more",
    "/v1/chat/completionsx",
    "/api/deployments//v1/embeddings",
    "/api/deployments/a/b/v1/embeddings",
    `/api/deployments/${"a".repeat(513)}/v1/embeddings`,
  ])("%s is no call to a model", (url) => {
    expect([routes.findExact(url), routes.findCanonical(url)]).toEqual([null, null]);
  });

  test("of a server that only answers calls to models are those calls, and no uploads to collections", () => {
    const few = createCallRoutes(toGatewayContract(contract), {}, createValidators());
    expect(idOf(few.findCanonical("/api/v1/documents/text"))).toBe("documents.read");
    expect(idOf(few.findCanonical("/api/deployments/dep_1/v1/embeddings"))).toBe("deployments.embeddings.create");
    expect(few.findCanonical("/api/collections/col_1/documents")).toBeNull();
  });

  test("the id of a deployment is decoded", () => {
    const url = toCanonicalUrl("/api/deployments/dep%5f%C3%A9/v1/embeddings");
    expect(routes.findCanonical(url)?.path).toEqual({ id: "dep_é" });
  });

  test("headers that the contract declares are checked, others are not", () => {
    const { validateHeaders, headerNames } = routes.findExact("/v1/messages")?.route ?? expect.fail();
    expect(headerNames).toContain("x-queue-timeout");
    expect(validateHeaders({ "x-queue-timeout": "30" })).toBe(true);
    expect(validateHeaders({ "x-queue-timeout": "601" })).toBe(false);
    expect(validateHeaders({ "x-other": "601" })).toBe(true);
  });

  test("a body is checked by the schema of its operation", () => {
    const { validateBody } = routes.findExact("/v1/embeddings")?.route ?? expect.fail();
    expect(validateBody({ model: "a/b", input: "Hi" })).toBe(true);
    expect(validateBody({ model: "a/b" })).toBe(false);
    expect(validateBody.errors).toHaveLength(1);
  });
});
