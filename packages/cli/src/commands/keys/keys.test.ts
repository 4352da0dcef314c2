import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { apiKey } from "../../testing/fixtures.ts";
import { setupCli } from "../../testing/setup-cli.ts";

const key = {
  ...apiKey,
  allowed_models: ["Qwen/Qwen3-32B"],
  ip_allowlist: [],
  max_concurrency: 2,
  spend_limit_nano_usd: "20000000000",
  limit_reset: "month",
  disabled: false,
  spent_nano_usd: "3200000000",
  previous_secret_expires_at: null,
};
const twin = { ...key, name: "twin" };
const { run, runAnonymous, requests } = setupCli({
  "GET /api-keys": ({ url }) => ({
    body: buildPage(url.includes("state=expired") ? [] : [key, { ...twin, id: "key_8" }, { ...twin, id: "key_9" }]),
  }),
  "GET /api-keys/key_1": () => ({ body: key }),
  "GET /api-keys/key_0": () => errorResponse(404, "api_keys.not_found", "There is no key key_0."),
  "PUT /api-keys/key_1": () => ({ body: key }),
  "PUT /api-keys/key_2": () => errorResponse(400, "invalid_request", "There is no model nobody/nothing."),
  "POST /api-keys/key_1/rotate": ({ body }) => ({
    body: {
      ...key,
      secret: "rc_new",
      previous_secret_expires_at: JSON.stringify(body).includes('"grace_s":0') ? null : "2026-11-22T12:00:00.000Z",
    },
  }),
});

test("shows a key with its limits, without its secret", async () => {
  const { code, out } = await run("keys show key_1");
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    "name\tproduction",
    "key\trc_wrFf…xIRT",
    "state\tworks",
    "may\tapi.access",
    "models\tQwen/Qwen3-32B",
    "from\tany address",
    "units\tat most 2",
    "spends\tat most $20.00 a month, $3.20 so far",
    "last used\t2 hours ago",
    "created\t1 Nov 2026",
    "by\tMaria Winter",
    "ends\tnever",
    "id\tkey_1",
    "",
  ]);
  expect(JSON.parse((await run("keys show key_1 --json id,limit_reset")).out)).toEqual({
    id: "key_1",
    limit_reset: "month",
  });
});

test("-q prints a new secret without a word beside it", async () => {
  const rotate = "keys rotate key_1 --yes";
  expect((await run(rotate)).err).toContain("has a new secret");
  expect(await run(`${rotate} -q`)).toMatchObject({ code: 0, out: "rc_new\n", err: "" });
});

test.each([
  ["--priority batch", { priority: "batch" }],
  ["--max-units 2", { max_concurrency: 2 }],
  ["--max-units none --models none --ips none", { max_concurrency: null, allowed_models: [], ip_allowlist: [] }],
  ["--models a/b,c/d --ips 203.0.113.0/24", { allowed_models: ["a/b", "c/d"], ip_allowlist: ["203.0.113.0/24"] }],
  ["--spend-limit 2.50 --reset month", { spend_limit_nano_usd: "2500000000", limit_reset: "month" }],
  ["--spend-limit 0.000000001", { spend_limit_nano_usd: "1" }],
  ["--spend-limit none", { spend_limit_nano_usd: null }],
  ["--scope api.access,user.read", { scopes: ["api.access", "user.read"] }],
  ["--expires 2027-03-01", { expires_at: "2027-03-01T00:00:00.000Z" }],
  ["--expires 30d", { expires_at: "2026-12-21T12:00:00.000Z" }],
  ["--expires 12h", { expires_at: "2026-11-22T00:00:00.000Z" }],
  ["--expires none", { expires_at: null }],
  ["--disable", { disabled: true }],
  ["--enable --name ci", { disabled: false, name: "ci" }],
])("keys update %s changes only that", async (flags, body) => {
  expect(await run(`keys update key_1 ${flags}`)).toEqual({
    code: 0,
    out: "key_1\n",
    err: "Changed the key production.\n",
  });
  expect(requests().map(({ body }) => body)).toEqual([body]);
});

test("keys rotate prints only the new secret on stdout, and on stderr when the old one expires", async () => {
  const { out, err } = await run("keys rotate key_1 --yes");
  expect(out).toBe("rc_new\n");
  expect(err).toContain("The old one works until 22 Nov 2026, 12:00 UTC.");
  expect((await run("keys rotate key_1 --grace 0 --yes")).err).toContain("The old one has ended.");
  expect((await run("keys rotate key_1 --grace 2h --yes --jq .secret")).out).toBe("rc_new\n");
  expect(requests().map(({ body }) => body)).toEqual([{}, { grace_s: 0 }, { grace_s: 7200 }]);
});

test.each([
  ["keys show key_0", 3, "There is no key key_0."],
  ["keys update key_2 --models nobody/nothing", 2, "There is no model nobody/nothing."],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test.each([
  ["keys show", "there is nobody to ask here"],
  ["keys update key_1", "nothing to change"],
  ["keys update key_1 --enable --disable", "exclude each other"],
  ["keys update key_1 --max-units 0", "whole number"],
  ["keys update key_1 --models a,,b", "by comma"],
  ["keys update key_1 --spend-limit much", "amount of dollars"],
  ["keys update key_1 --reset year", "Allowed choices"],
  [
    "keys update key_1 --scope all",
    "It takes user.read, user.write, chats.write, collections.write, api.access, tools.call",
  ],
  ["keys update key_1 --expires soon", "It must be a date"],
  ["keys update key_1 --expires 2027", "a time from now, such as 30d or 12h"],
  ["keys rotate key_1", "--yes"],
  ["keys rotate key_1 --grace soon --yes", "90s or 15m"],
])("%s is rejected before any request is sent", async (line, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(message);
  expect(requests()).toEqual([]);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("keys show key_1")).code).toBe(4);
});

test("a key can be given by a name that is unique", async () => {
  expect((await run("keys show production -q")).out).toBe("key_1\n");
  await run("keys rename production live");
  expect(requests().at(-1)).toMatchObject({ method: "PUT", url: "/api-keys/key_1", body: { name: "live" } });
});

test.each<[string, number, string]>([
  ["keys show twin", 2, "several keys are called twin"],
  ["keys show prodution", 3, "did you mean production?"],
  ["keys rename nothing-like-it x", 3, "feather keys list"],
  ["keys delete twin --yes", 2, "several keys are called twin"],
])("%s exits with %i", async (line, status, message) => {
  const { code, out, err } = await run(line);
  expect([code, out, err]).toEqual([status, "", expect.stringContaining(message)]);
  expect(requests().every(({ method }) => method === "GET")).toBe(true);
});

test("keys list takes a part of a name and a state, and says when no key fits", async () => {
  expect((await run("keys list --search tw --state unused")).code).toBe(0);
  const query = Object.fromEntries(new URLSearchParams(requests()[0]?.url.split("?")[1]));
  expect(query).toMatchObject({ search: "tw", state: "unused" });
  expect((await run("keys list --state expired")).err).toContain("No key fits.");
  expect((await run("keys list --state lost")).code).toBe(2);
});
