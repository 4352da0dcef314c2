import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModel } from "@feather/testing/builders";
import { streamedResponse } from "@feather/testing/stub";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-pictures-"));
const HEADS: Readonly<Record<string, readonly number[]>> = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff, 0xe0],
  gif: [...Buffer.from("GIF89a")],
  webp: [...Buffer.from("RIFF0000WEBP")],
};
beforeAll(() => {
  for (const [kind, bytes] of Object.entries(HEADS)) writeFileSync(join(folder, kind), Buffer.from(bytes));
  writeFileSync(join(folder, "words"), "These are words.");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { run, requests } = setupCli({
  "GET /feather/models/acme%2Fsees": () => ({
    body: buildModel({ id: "acme/sees", input_modalities: ["text", "image"] }),
  }),
  "GET /feather/models/acme%2Fblind": () => ({ body: buildModel({ id: "acme/blind" }) }),
  "POST /v1/chat/completions": () => streamedResponse(["A wren."]),
});
const said = () => requests().find(({ method }) => method === "POST")?.body;

test.each(Object.keys(HEADS))("a %s is sent with its real type, whatever its file name", async (kind) => {
  const { code, out } = await run(["chat", "-m", "acme/sees", "--image", join(folder, kind), "Which bird?"]);
  expect([code, out]).toEqual([0, "A wren.\n"]);
  const url = `data:image/${kind};base64,${Buffer.from(HEADS[kind] ?? []).toString("base64")}`;
  expect(said()).toMatchObject({
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Which bird?" },
          { type: "image_url", image_url: { url } },
        ],
      },
    ],
  });
});

test("URLs stay URLs, and several pictures keep their order", async () => {
  const [one, other] = ["https://birds.example/a.png", "https://birds.example/b.png"];
  await run(["chat", "-m", "acme/sees", "-i", one, "-i", other, "Which?"]);
  expect(said()).toMatchObject({
    messages: [{ content: [{}, { image_url: { url: one } }, { image_url: { url: other } }] }],
  });
});

test.each<[string, string[], string]>([
  [
    "a model that does not see",
    ["-m", "acme/blind", "-i", join(folder, "png"), "Which?"],
    "acme/blind takes no pictures",
  ],
  ["a file that is no picture", ["-m", "acme/sees", "-i", join(folder, "words"), "Which?"], "is no picture"],
  ["a file that is not there", ["-m", "acme/sees", "-i", join(folder, "none"), "Which?"], "there is no such file"],
  ["nothing said about it", ["-m", "acme/sees", "-i", join(folder, "png")], "there is no prompt"],
])("rejects %s before any request to the model", async (_, argv, message) => {
  const { code, out, err } = await run(["chat", ...argv]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(message);
  expect(said()).toBeUndefined();
});
