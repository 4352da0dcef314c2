import { createTestClock } from "@feather/testing/clock";
import { expect, test } from "vitest";
import { createSealerWithKey } from "../../platform/core/secrets/sealing.ts";
import { createAskServers } from "./ask-servers.ts";
import type { ToolServerRow } from "./tool-servers.repository.ts";

const row = (id: string): ToolServerRow => ({
  ...{ id, organization_id: "org_1", name: id, url: "https://example.com/mcp", header_name: null, sealed_secret: null },
  ...{ allowed_tools: null, is_enabled: true, created_by: null, updated_at: new Date(0) },
});

/** Creates what asks servers, each of which has a tool with a description of some length. */
function startWithDescription(characters: number) {
  const description = "x".repeat(characters);
  const { listTools } = createAskServers({
    client: {
      listTools: async () => ({ tools: [{ name: "add", description, inputSchema: { type: "object" } }], problems: [] }),
      callTool: () => Promise.reject(new Error("Nobody calls.")),
    },
    sealer: createSealerWithKey(new Uint8Array(32)),
    clock: createTestClock("2026-05-01T12:00:00Z"),
  });
  return (id: string) => listTools(row(id), { isFresh: false });
}

test("the list of a server is kept", async () => {
  const list = startWithDescription(10);
  expect(await list("a")).toBe(await list("a"));
});

test("lists are kept up to 64 million characters together, those that were used last", async () => {
  const list = startWithDescription(30 * 1024 * 1024);
  const first = await list("a");
  await list("b");
  expect(await list("a")).toBe(first);
  await list("c"); // in place of b
  expect(await list("a")).toBe(first);
  await list("b"); // in place of c
  await list("c"); // in place of a
  expect(await list("a")).not.toBe(first);
});
