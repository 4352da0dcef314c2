import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpServer } from "@feather/testing/http-server";
import { afterAll, describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-draw-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PNG = Buffer.from("\x89PNG one", "latin1");
const JPEG = Buffer.from("\xff\xd8\xff two", "latin1");
const pictures = await startHttpServer((_request, response) => response.end(JPEG));
afterAll(() => pictures.close());
const { run, runInteractive, requests } = setupCli({
  "POST /v1/images/generations": ({ body }) => {
    const { n = 1 } = body as { n?: number };
    const data = [{ b64_json: PNG.toString("base64") }, { url: `${pictures.url}/two.jpg` }];
    return { body: { created: 1, data: data.slice(0, n) } };
  },
});

describe("feather draw", () => {
  test("feather draw writes a picture to a file and prints its path", async () => {
    const file = join(folder, "feather.png");
    writeFileSync(file, "before");
    const how = ["--size", "64x64", "--quality", "high", "--queue", "30"];
    const { code, out, err } = await run(["draw", "-m", "a/draws", ...how, "-o", file, "A", "feather"]);
    expect([code, out, err]).toEqual([0, `${file}\n`, ""]);
    expect(readFileSync(file)).toEqual(PNG);
    expect(requests()[0]).toMatchObject({
      body: { model: "a/draws", prompt: "A feather", size: "64x64", quality: "high" },
      headers: { "x-queue-timeout": "30" },
    });
  });

  test("feather draw numbers the files of several pictures, and downloads without a key those that have an address", async () => {
    const file = join(folder, "two.png");
    const { out } = await run(["draw", "-m", "a/draws", "-n", "2", "-o", file, "A feather", "--json"]);
    const second = join(folder, "two-2.png");
    expect(JSON.parse(out)).toEqual({
      files: [
        { path: file, bytes: PNG.length },
        { path: second, bytes: JPEG.length },
      ],
    });
    expect([readFileSync(file), readFileSync(second)]).toEqual([PNG, JPEG]);
    expect(pictures.requests.at(-1)).toMatchObject({ url: "/two.jpg" });
    expect(pictures.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  test("feather draw writes one picture to a pipe", async () => {
    const { code, out } = await run("draw -m a/draws -o - feather");
    expect([code, out]).toEqual([0, PNG.toString("utf8")]);
  });

  test.each([
    ["draw feather", "feather models list --search image"],
    ["draw -m a/draws", "there is no text"],
    ["draw -m a/draws -n 11 feather", "between 1 and 10"],
    ["draw -m a/draws -n 2 -o - feather", "one picture"],
    ["draw -m a/draws -o - --json feather", "one picture"],
  ])("%s is rejected and sends nothing", async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
    expect(requests()).toEqual([]);
  });

  test("draw -o - at a terminal is rejected and sends nothing", async () => {
    const { code, err } = await runInteractive("draw -m a/draws -o - feather");
    expect([code, err]).toEqual([2, expect.stringContaining("pictures are not written to a terminal")]);
    expect(requests()).toEqual([]);
  });

  test("a file that cannot be written fails the command", async () => {
    const { code, err } = await run(["draw", "-m", "a/draws", "-o", join(folder, "none", "a.png"), "feather"]);
    expect([code, err]).toEqual([1, expect.stringContaining("ENOENT")]);
  });
});
