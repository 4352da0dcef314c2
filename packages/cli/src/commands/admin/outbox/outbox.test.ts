import { buildPage } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const message = {
  id: "msg_1",
  kind: "email_verification",
  to: "maria@example.com",
  subject: "Confirm \u001b[2Jyour address",
  text: "Open https://feather.example/…",
  state: "failed",
  attempts: 3,
  last_error: "refused",
  created_at: "2026-11-21T10:00:00.000Z",
  sent_at: null,
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/outbox": () => ({ body: buildPage([message], 80) }),
});

test("lists messages with their text escaped", async () => {
  const { out, err } = await runInteractive("admin outbox list --state failed --search maria");
  expect(out).toMatch(/2 hours ago +failed +maria@example\.com +Confirm \\x1b\[2Jyour address +refused +msg_1\n/);
  expect(err).toContain("1 of 80 messages.");
  expect(requests()[0]?.url).toContain("search=maria&state=failed");
  expect((await run("admin outbox list")).out.split("\t")[0]).toBe("2026-11-21T10:00:00.000Z");
  expect(JSON.parse((await run("admin outbox list --json id,text")).out)).toEqual([
    { id: "msg_1", text: message.text },
  ]);
});

test("admin outbox list rejects bad input, and needs a sign-in", async () => {
  expect(await run("admin outbox list --state lost")).toMatchObject({ code: 2, out: "" });
  expect((await runAnonymous("admin outbox list")).code).toBe(4);
});
