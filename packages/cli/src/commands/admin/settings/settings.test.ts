import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const saved = {
  value: "Acme",
  is_set: true,
  previous_value: null,
  needs_restart: true,
  saved_at: "2026-11-30T09:00:00.000Z",
  saved_by: "admin@example.com",
};
const setting = {
  name: "FEATHER_PRODUCT_NAME",
  description: "Name shown in titles.",
  value: "Feather",
  is_secret: false,
  is_default: true,
  default_value: "Feather",
  group: "site",
  source: "default",
  input: { kind: "text", options: [] },
  is_editable: true,
  saved: null,
};
const smtp = {
  ...setting,
  name: "SMTP_URL",
  description: "Mail server.",
  value: null,
  is_secret: true,
  default_value: null,
};
const settings = (items: object[], needs_restart = false) => ({
  exposure: {
    is_exposed: false,
    host: "127.0.0.1",
    public_url: "http://localhost:4000",
    is_encrypted: false,
    registration: "open",
    payments: "off",
    marketplaces: "off",
    discovery: true,
  },
  engine_sandbox: "on",
  started_at: "2026-11-30T08:00:00.000Z",
  needs_restart,
  can_restart: true,
  items,
});
const { run, runInteractive, requests } = setupCli({
  "GET /admin/settings": () => ({ body: settings([{ ...setting, saved }, { ...smtp }], true) }),
  "PUT /admin/settings": () => ({ body: settings([{ ...setting, saved }, smtp], true) }),
  "POST /admin/restart": () => ({ status: 202 }),
});

test("lists settings with what they are after the next start, and no secrets", async () => {
  const { out, err } = await runInteractive("admin settings list");
  expect(out).toMatch(/^FEATHER_PRODUCT_NAME +Feather +default +Acme$/m);
  expect(out).toMatch(/^SMTP_URL +\(secret\) +default/m);
  expect(out + err).toContain("feather admin settings restart");
});

test("lists only settings that match or were changed", async () => {
  expect((await run("admin settings list mail -q")).out).toBe("SMTP_URL\n");
  expect((await run("admin settings list --changed -q")).out).toBe("FEATHER_PRODUCT_NAME\n");
});

test("saves values together, one of them from stdin", async () => {
  const { code, err } = await run(["admin", "settings", "set", "FEATHER_PRODUCT_NAME=Acme = models", "SMTP_URL=-"], {
    stdin: "smtps://a:b@mail.example.com\n",
  });
  expect([code, err]).toEqual([0, expect.stringContaining("Saved FEATHER_PRODUCT_NAME, SMTP_URL.")]);
  expect(requests().map(({ body }) => body)).toEqual([
    { values: { FEATHER_PRODUCT_NAME: "Acme = models", SMTP_URL: "smtps://a:b@mail.example.com" } },
  ]);
});

test("removes saved values", async () => {
  expect((await run("admin settings unset FEATHER_PRODUCT_NAME SMTP_URL")).code).toBe(0);
  expect(requests().map(({ body }) => body)).toEqual([{ values: { FEATHER_PRODUCT_NAME: null, SMTP_URL: null } }]);
});

test("nothing is sent when stdin is empty", async () => {
  expect(await run("admin settings set SMTP_URL=-")).toMatchObject({ code: 2 });
  expect(requests()).toEqual([]);
});

test("starts the server again", async () => {
  expect(await run("admin settings restart --yes")).toMatchObject({ code: 0 });
  expect(requests().map(({ path }) => path)).toEqual(["/admin/restart"]);
});

const refusing = setupCli({
  "PUT /admin/settings": () =>
    errorResponse(
      400,
      "settings.not_valid",
      "The server could not start with these settings: FEATHER_REGISTRATION: no.",
    ),
});

test("says why values are refused", async () => {
  const { code, err } = await refusing.run("admin settings set FEATHER_REGISTRATION=maybe");
  expect(code).not.toBe(0);
  expect(err).toContain("FEATHER_REGISTRATION: no.");
});
