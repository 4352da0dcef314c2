import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readPicture, writePicture } from "./pictures.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-pictures-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["\x89PNG", "png"],
  ["\xff\xd8\xff", "jpg"],
  ["RIFF1234WEBP", "webp"],
  ["GIF89a", "gif"],
  ["other", "bin"],
])(
  "a picture without a name that begins with %j gets a free name of its format, and replaces no file",
  async (start, format) => {
    const picture = Buffer.from(start, "latin1");
    const first = await writePicture(undefined, picture, 0, folder);
    const second = await writePicture(undefined, Buffer.concat([picture, picture]), 1, folder);
    expect([first.path, second.path]).toEqual([1, 2].map((number) => join(folder, `picture-${number}.${format}`)));
    expect(readFileSync(first.path)).toEqual(picture);
  },
);

test("a picture that is larger than allowed is not downloaded, also where its length is not stated", async () => {
  const send = (body: string) => async () => new Response(new Blob([body]).stream());
  const read = (body: string) =>
    readPicture({ url: "https://pictures.example/a" }, send(body), AbortSignal.timeout(5_000), 4);
  expect(await read("four")).toEqual(Buffer.from("four"));
  await expect(read("fives")).rejects.toThrow("https://pictures.example/a cannot be downloaded");
});
