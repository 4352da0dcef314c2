import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "./platform/core/errors/index.ts";
import type { Handlers } from "./platform/core/http/handlers.ts";
import { createServer } from "./server.ts";
import { isAdminOnly, OPERATIONS, requiredQueryOf, rowsOf, toPath } from "./testing/contract-walk.ts";
import { inject } from "./testing/inject.ts";
import { type Account, createTestServer, type TestServer } from "./testing/server.ts";

const REACHED = 418;
/** Names of columns and of properties that every object has, which would do harm if they were passed on. */
const UNKNOWN = { foo: "1", id: "x", name: "x", secret_hash: "x", created_by: "x", constructor: "x" };

let server: TestServer;
let app: FastifyInstance;
let user: Account;
let admin: Account;
let received: unknown;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.signUpOnPlan({});
  admin = await server.signInAdmin();
  const reached = async ({ query }: { query: unknown }) => {
    received = query;
    throw new AppError(REACHED, "reached", "Let in.");
  };
  const handlers = Object.fromEntries(OPERATIONS.map(({ operationId }) => [operationId, reached])) as Handlers;
  app = await createServer(server.platform, handlers);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

describe("an unknown query parameter", () => {
  test.each(rowsOf(OPERATIONS.filter(({ method }) => method === "GET")))(
    "does not reach the handler of %s",
    async (_id, operation) => {
      const declared = operation.queryParameters.map(({ name }) => name);
      const unknown = Object.fromEntries(Object.entries(UNKNOWN).filter(([name]) => !declared.includes(name)));
      received = undefined;
      const response = await inject(app, {
        method: "GET",
        url: toPath(operation),
        query: { ...requiredQueryOf(operation), ...unknown },
        headers: { authorization: `Bearer ${(isAdminOnly(operation) ? admin : user).token}` },
      });
      expect(response.statusCode).toBe(REACHED);
      expect(Object.keys(received ?? {}).filter((name) => !declared.includes(name))).toEqual([]);
    },
  );
});

test("the admin's list of applications ignores unknown query parameters", async () => {
  const query = new URLSearchParams({ ...UNKNOWN, status: "active" });
  const answer = await server.call(`/api/admin/applications?${query}`, { token: admin.token });
  expect(answer.status).toBe(200);
});
