import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "./http/contract.ts";
import { createTestServer, type TestServer } from "./testing/server.ts";

/** Operations that are described but not built yet. This list must be empty when the mission is done. */
const NOT_BUILT: string[] = [];

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

  test("exist for every operation except the listed ones", () => {
    const handlers = server.platform.handlers;
    expect([...contract.operations.keys()].filter((id) => !(id in handlers)).sort()).toEqual(NOT_BUILT);
  });
});
