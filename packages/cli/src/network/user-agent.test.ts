import { expect, test } from "vitest";
import { user } from "../testing/fixtures.ts";
import { setupCli } from "../testing/setup-cli.ts";

const { run, requests } = setupCli({
  "GET /auth/me": () => ({ body: user }),
  "GET /config": () => ({ body: { version: "1.2.3" } }),
});

test.each([
  "models list",
  "whoami",
  "api GET /auth/me",
  "doctor",
  "models show acme/bot",
  "complete -- models show acme",
])("all requests of %s name the program and its version", async (line) => {
  await run(line);
  expect(new Set(requests().map(({ headers }) => headers["user-agent"]))).toEqual(new Set(["feather-cli/1.2.3"]));
});
