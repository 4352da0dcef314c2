import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const { run, runInteractive, requests } = setupCli({});

test("feather top needs a terminal, and names the command for pipes before anything is asked of the server", async () => {
  const { code, out, err } = await run("top");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("feather top needs a terminal");
  expect(err).toContain("feather usage --live --json");
  expect(requests()).toEqual([]);
});

test("feather top rejects arguments", async () => {
  expect((await runInteractive("top now")).code).toBe(2);
});
