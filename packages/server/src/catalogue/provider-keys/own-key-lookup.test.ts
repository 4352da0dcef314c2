import { createTestClock } from "@feather/testing/clock";
import { expect, test, vi } from "vitest";
import { LONE_REPLICA } from "../../platform/core/replicas/replicas.ts";
import { createSealer, SEALING_PURPOSES } from "../../platform/core/secrets/sealing.ts";
import { createOwnKeyLookup } from "./own-key-lookup.ts";
import type { ProviderKeyDetails } from "./provider-keys.repository.ts";

const clock = createTestClock("2026-05-01T12:00:00Z");
const sealer = createSealer(new Uint8Array(32), SEALING_PURPOSES.providerKeys);
const row: ProviderKeyDetails = {
  id: "pky_1",
  organization_id: "org_1",
  provider: "openrouter",
  label: null,
  sealed_key: sealer.seal("own"),
  last_characters: "",
  created_by: null,
  created_by_name: null,
  created_at: clock.now(),
  refusal: null,
  refused_at: null,
};

function createLookup(rows: readonly ProviderKeyDetails[]) {
  const list = vi.fn(async () => [...rows]);
  const noteRefusal = vi.fn(async () => {});
  const unused = () => expect.fail("not used for calls");
  const providerKeysRepository = { list, noteRefusal, find: unused, set: unused, delete: unused };
  const log = { warn: vi.fn() };
  return {
    list,
    noteRefusal,
    ...createOwnKeyLookup({ providerKeysRepository, sealer, replicas: LONE_REPLICA, clock, log }),
  };
}

test.each([[[]], [[row]]])("the keys of an organization are read once from the database: %#", async (rows) => {
  const { find, list } = createLookup(rows);
  const first = await find("org_1");
  expect(find("org_1")).toBe(first);
  expect(first.size).toBe(rows.length);
  expect(list).toHaveBeenCalledTimes(1);
});

test("a key that is refused with every call is noted once a minute", async () => {
  const { find, noteRefusal } = createLookup([row]);
  const key = (await find("org_1")).get("openrouter");
  for (let call = 0; call < 3; call++) key?.noteRefusal("It does not accept the key.");
  expect(noteRefusal.mock.calls).toEqual([["pky_1", { error: "It does not accept the key.", at: clock.now() }]]);
  clock.at += 60_000;
  key?.noteRefusal("It does not accept the key.");
  expect(noteRefusal).toHaveBeenCalledTimes(2);
});
