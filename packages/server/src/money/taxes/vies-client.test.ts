import { type FakeVies, startFakeVies, VIES_FAULTS, type ViesReply } from "@feather/testing/fake-vies";
import { startHttpServer } from "@feather/testing/http-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutgoing } from "../../platform/core/network/outgoing.ts";
import { createVies } from "./vies-client.ts";

let vies: FakeVies;
const outgoing = createOutgoing({ allow: ["127.0.0.1"] });
beforeAll(async () => {
  vies = await startFakeVies();
});
afterAll(async () => {
  await vies.close();
  await outgoing.close();
});

const check = (vatId: string, requester = "FR32123456789") =>
  createVies({ url: vies.url, requester, fetch: outgoing.fetch }).check(vatId);

test("a valid id comes with a consultation number, since the operator names itself", async () => {
  vies.replies.set("EL094259216", "valid");
  expect(await check("EL094259216")).toEqual({ kind: "valid", consultationNumber: expect.stringMatching(/^WAPI/) });
  expect(JSON.parse(vies.requests.at(-1)?.body ?? "")).toEqual({
    countryCode: "EL",
    vatNumber: "094259216",
    requesterMemberStateCode: "FR",
    requesterNumber: "32123456789",
  });
});

test("an id that the register does not have is not valid", async () => {
  expect(await check("DE136695976")).toEqual({ kind: "invalid", consultationNumber: null });
});

test("an id whose form VIES rejects is not valid", async () => {
  expect(await check("XX1")).toEqual({ kind: "invalid", consultationNumber: null });
});

test.each([...VIES_FAULTS.filter((fault) => fault !== "INVALID_INPUT")])("the fault %s is no answer", async (fault) => {
  vies.replies.set("DE136695976", fault satisfies ViesReply);
  expect(await check("DE136695976")).toEqual({ kind: "unavailable", fault });
});

test("a page in place of JSON is no answer", async () => {
  vies.replies.set("DE136695976", "NOT_JSON");
  expect(await check("DE136695976")).toEqual({ kind: "unavailable", fault: "NO_ANSWER" });
});

test("JSON of another form, and a connection that ends, are no answers", async () => {
  const broken = await startHttpServer((_, response, count) => {
    if (count > 1) response.destroy();
    else response.end('{"valid":"yes"}');
  });
  const client = createVies({ url: broken.url, requester: "FR32123456789", fetch: outgoing.fetch });
  expect(await client.check("DE136695976")).toEqual({ kind: "unavailable", fault: "NO_ANSWER" });
  expect(await client.check("DE136695976")).toEqual({ kind: "unavailable", fault: "NO_ANSWER" });
  await broken.close();
});
