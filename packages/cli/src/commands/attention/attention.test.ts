import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const webhook = {
  kind: "webhook_off",
  severity: "error",
  subject_id: "whe_1",
  subject: "hooks.example.com",
  count: null,
  happens_at: "2026-11-18T06:12:00.000Z",
  message: "The webhook to hooks.example.com is off because its events could not be delivered.",
};
const accounts = {
  kind: "accounts_waiting",
  severity: "info",
  subject_id: null,
  subject: null,
  count: 3,
  happens_at: null,
  message: "3 accounts wait for approval.",
};
let items: object[] = [];
const { run, runAnonymous } = setupCli({ "GET /attention": () => ({ body: { items } }) });

test("attention lists what fails or waits, and exits with 0", async () => {
  items = [webhook, accounts];
  const { code, out, err } = await run("attention");
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(out).toBe(
    "error\tThe webhook to hooks.example.com is off because its events could not be delivered.\t2026-11-18T06:12:00.000Z\twebhook_off\n" +
      "info\t3 accounts wait for approval.\t\taccounts_waiting\n",
  );
  expect((await run("attention -q")).out).toBe("whe_1\naccounts_waiting\n");
  expect(JSON.parse((await run("attention --json severity,count")).out)).toEqual([
    { severity: "error", count: null },
    { severity: "info", count: 3 },
  ]);
});

test("attention prints no control characters of names", async () => {
  items = [{ ...webhook, message: "The key \u001b[2JProduction ends within 7 days." }];
  expect((await run("attention")).out).not.toContain("\u001b");
});

test("attention lists nothing where nothing needs it", async () => {
  items = [];
  expect(await run("attention")).toMatchObject({ code: 0, out: "" });
});

test("attention needs a sign-in", async () => {
  expect((await runAnonymous("attention")).code).not.toBe(0);
});
