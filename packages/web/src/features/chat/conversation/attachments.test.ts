import { expect, test } from "vitest";
import { formatFileSize, MAX_IMAGE_BYTES, MAX_TEXT_BYTES, readFiles } from "./attachments.ts";

const rules = { acceptsImages: true, attachedCount: 0, newId: () => "id" };
const file = (name: string, type: string, content: BlobPart = "abc") => new File([content], name, { type });

test.each([
  [file("a.png", "image/png"), "image", "data:image/png;base64,YWJj"],
  [file("a.md", "text/markdown", "Grüße"), "text", "Grüße"],
  [file("a.rs", "", "fn main() {}"), "text", "fn main() {}"],
])("the attachment %o is accepted", async (given, kind, data) => {
  const { attachments, rejections } = await readFiles([given], rules);
  expect(attachments).toMatchObject([{ kind, data, name: given.name }]);
  expect(rejections).toEqual([]);
});

test.each([
  [file("a.svg", "image/svg+xml"), {}, "a.svg: images are taken as PNG, JPEG, WebP or GIF."],
  [file("a.png", "image/png"), { acceptsImages: false }, "a.png: this model does not take images."],
  [file("a.png", "image/png", new Uint8Array(MAX_IMAGE_BYTES + 1)), {}, "a.png: images may have at most 4 MB."],
  [file("a.txt", "text/plain", "x".repeat(MAX_TEXT_BYTES + 1)), {}, "a.txt: texts may have at most 256 kB."],
  [file("a.bin", "", new Uint8Array([255, 254, 0])), {}, "a.bin: this is not a text."],
  [file("a.bin", "text/plain", "a\u0000b"), {}, "a.bin: this is not a text."],
  [file("a.txt", "text/plain"), { attachedCount: 8 }, "a.txt: at most 8 files go with a message."],
])("the attachment %o is rejected with a reason", async (given, over, reason) => {
  expect(await readFiles([given], { ...rules, ...over })).toEqual({ attachments: [], rejections: [reason] });
});

test.each([
  [90, "90 bytes"],
  [12_345, "12 kB"],
  [4_400_000, "4.2 MB"],
])("formats %i bytes as %s", (bytes, words) => {
  expect(formatFileSize(bytes)).toBe(words);
});
