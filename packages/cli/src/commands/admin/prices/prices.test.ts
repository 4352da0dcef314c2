import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";
import { toPerToken } from "./price.ts";

const price = {
  id: "price_1",
  scope: "model",
  model: "Qwen/Qwen3-32B",
  prompt: "0.0000001",
  completion: "0.0000004",
  image: "0",
  audio_second: "0",
  character: "0",
  request: "0",
  effective_at: "2026-11-19T14:01:02.000Z",
  created_at: "2026-11-19T14:01:02.000Z",
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/prices": () => ({ body: buildPage([price]) }),
  "POST /admin/base-models/Qwen%2FQwen3-32B/prices": () => ({ status: 201, body: price }),
  "POST /admin/base-models/none/prices": () => errorResponse(404, "model_not_found", "There is no such model."),
  "POST /admin/base-models/old/prices": () => errorResponse(409, "invalid_request", "It may not begin in the past."),
});

test.each([
  ["0.0000001", "0.10"],
  ["0.00001234567", "12.34567"],
  ["2", "2000000"],
  ["0", "0"],
])("the price %s per token is parsed from %s per million tokens", (one, million) => {
  expect(toPerToken(million)).toBe(one);
});

test("lists prices per million tokens for people, and exact ones for programs", async () => {
  expect((await runInteractive("admin prices list --model Qwen/Qwen3-32B")).out).toMatch(
    /Qwen\/Qwen3-32B +model +\$0\.10 +\$0\.40 +\$0.00 +\$0.00 +19 Nov 2026, 14:01 UTC\n/,
  );
  expect(requests()[0]?.url).toContain("model=Qwen%2FQwen3-32B");
  expect((await run("admin prices list")).out).toBe(
    "Qwen/Qwen3-32B\tmodel\t0.0000001\t0.0000004\t0\t0\t2026-11-19T14:01:02.000Z\n",
  );
  expect(JSON.parse((await run("admin prices list --json id,prompt")).out)).toEqual([
    { id: "price_1", prompt: "0.0000001" },
  ]);
});

test("admin prices set sends a price per token", async () => {
  const flags =
    "--read 0.10 --written 0.4 --per-second 0.0001 --per-character 0.000015 --per-request 0.001 --from 2027-01-01";
  const { out, err } = await run(`admin prices set Qwen/Qwen3-32B ${flags} --yes`);
  expect([out, err]).toEqual(["price_1\n", "Qwen/Qwen3-32B costs that from 19 Nov 2026, 14:01 UTC on.\n"]);
  expect(requests()[0]?.body).toEqual({
    prompt: "0.0000001",
    completion: "0.0000004",
    audio_second: "0.0001",
    character: "0.000015",
    request: "0.001",
    effective_at: "2027-01-01T00:00:00.000Z",
  });
});

test.each([
  ["admin prices set old --read 1 --written 2 --yes", 6, "in the past"],
  ["admin prices set none --read 1 --written 2 --yes", 3, "There is no such model."],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test.each([
  ["admin prices set old --read 1", "two parts"],
  ["admin prices set old --read cheap --written 1", "amount of dollars"],
  ["admin prices set old --read 1 --written 2 --from soon", "It must be a date"],
  ["admin prices set old --read 1 --written 2", "--yes"],
])("%s is rejected before any request is sent", async (line, message) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(requests()).toEqual([]);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("admin prices list")).code).toBe(4);
});
