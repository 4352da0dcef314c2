import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "./http/contract.ts";
import { createTestServer, type TestServer } from "./testing/server.ts";

const contract = loadContract();

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

describe("handlers", () => {
  test("all exist in the contract", () => {
    expect(Object.keys(server.platform.handlers).filter((name) => !contract.operations.has(name))).toEqual([]);
  });

  test("exist for every operation", () => {
    const handlers = server.platform.handlers;
    expect([...contract.operations.keys()].filter((id) => !(id in handlers))).toEqual([]);
  });
});
