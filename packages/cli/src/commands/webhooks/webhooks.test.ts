import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const endpoint = {
  id: "whk_1",
  url: "https://hooks.example.com/feather",
  description: "",
  event_types: ["deployment.ready"],
  disabled: false,
  disabled_reason: null,
  first_failed_at: null,
  previous_secret_expires_at: null,
  created_at: "2026-11-01T09:30:00Z",
};
const delivery = {
  id: "whd_1",
  endpoint_id: "whk_1",
  event_id: "whe_1",
  event_type: "deployment.ready",
  status: "failed",
  attempts: 10,
  response_status: 500,
  error: "The endpoint responded with 500.",
  last_attempt_at: "2026-11-21T10:00:00Z",
  next_attempt_at: null,
  created_at: "2026-11-21T10:00:00Z",
};
const { run, runAnonymous, requests } = setupCli({
  "GET /webhooks": () => ({
    body: { items: [endpoint, { ...endpoint, id: "whk_2", disabled: true, disabled_reason: "gone" }] },
  }),
  "POST /webhooks": () => ({ status: 201, body: { ...endpoint, secret: "whsec_new" } }),
  "GET /webhooks/whk_1": () => ({ body: endpoint }),
  "PUT /webhooks/whk_1": () => ({ body: endpoint }),
  "DELETE /webhooks/whk_1": () => ({ status: 204 }),
  "POST /webhooks/whk_1/rotate": () => ({
    body: { ...endpoint, secret: "whsec_other", previous_secret_expires_at: "2026-11-22T12:00:00.000Z" },
  }),
  "POST /webhooks/whk_1/test": () => ({ status: 202, body: { ...delivery, status: "pending" } }),
  "POST /webhooks/whk_0/test": () =>
    errorResponse(404, "webhooks.not_found", "There is no webhook endpoint with this id."),
  "GET /webhooks/whk_1/deliveries": () => ({ body: buildPage([delivery]) }),
  "POST /webhooks/whk_1/deliveries/whd_1/replay": () => ({ status: 202, body: { ...delivery, status: "pending" } }),
});

test("lists endpoints and whether they work", async () => {
  const { code, out } = await run("webhooks list");
  expect(code).toBe(0);
  expect(out).toContain("https://hooks.example.com/feather\tworks\tdeployment.ready\twhk_1");
  expect(out).toContain("disabled: gone");
});

test("prints only the secret of a new endpoint on stdout", async () => {
  const line =
    "webhooks create https://hooks.example.com/feather --events deployment.ready,plan.changed --description CI";
  expect(await run(line)).toMatchObject({ code: 0, out: "whsec_new\n" });
  expect(requests().at(-1)?.body).toEqual({
    url: "https://hooks.example.com/feather",
    event_types: ["deployment.ready", "plan.changed"],
    description: "CI",
  });
});

test.each([
  ["--url https://a.example/", { url: "https://a.example/" }],
  ["--events member.added", { event_types: ["member.added"] }],
  ["--disable", { disabled: true }],
  ["--enable --description CI", { disabled: false, description: "CI" }],
])("webhooks update %s changes only that", async (flags, body) => {
  expect((await run(`webhooks update whk_1 ${flags}`)).out).toBe("whk_1\n");
  expect(requests().map((request) => request.body)).toEqual([body]);
});

test("webhooks rotate prints a new secret, and until when the old one signs", async () => {
  const { out, err } = await run("webhooks rotate whk_1 --yes");
  expect(out).toBe("whsec_other\n");
  expect(err).toContain("22 Nov 2026, 12:00 UTC");
});

test("webhooks test, replay and deliveries send events and list their deliveries", async () => {
  expect((await run("webhooks test whk_1")).out).toBe("whd_1\n");
  expect((await run("webhooks replay whk_1 whd_1")).err).toContain("deployment.ready is on its way again");
  const { out } = await run("webhooks deliveries whk_1 --status failed");
  expect(out).toContain("The endpoint responded with 500.");
  expect(requests().at(-1)?.url).toContain("status=failed");
});

test("webhooks delete deletes an endpoint after a confirmation", async () => {
  expect((await run("webhooks delete whk_1")).code).toBe(2);
  expect(await run("webhooks delete whk_1 --yes")).toMatchObject({ code: 0, err: "Deleted whk_1.\n" });
});

test.each([
  ["webhooks create https://hooks.example.com/", 2, "--events is missing"],
  ["webhooks create https://hooks.example.com/ --events all", 2, "It takes api_key.created"],
  ["webhooks update whk_1", 2, "nothing to change"],
  ["webhooks update whk_1 --enable --disable", 2, "exclude each other"],
  ["webhooks deliveries whk_1 --status lost", 2, "Allowed choices"],
  ["webhooks test whk_0", 3, "There is no webhook endpoint with this id."],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test("webhook commands need a sign-in", async () => {
  expect((await runAnonymous("webhooks list")).code).toBe(4);
});
