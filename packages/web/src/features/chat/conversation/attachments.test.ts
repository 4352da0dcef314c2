import type { DocumentText } from "@feather/sdk";
import { expect, test, vi } from "vitest";
import {
  cutToFit,
  formatFileSize,
  MAX_CHOSEN_IMAGE_BYTES,
  MAX_DOCUMENT_BYTES,
  MAX_IMAGE_BYTES,
  MAX_TEXT_BYTES,
  type ReadDocument,
  readFile,
} from "./attachments.ts";
import type { Attachment } from "./types.ts";

const DOCUMENT: DocumentText = {
  name: "a.pdf",
  type: "application/pdf",
  text: "--- page 1 of 2 ---\nwords",
  pages: 2,
  pages_read: 2,
  characters: 25,
  tokens: 7,
  cut_at: null,
};
const signal = new AbortController().signal;
const file = (name: string, type: string, content: BlobPart = "abc") => new File([content], name, { type });
/** Gives a file another size than its content has. */
const sized = (given: File, size: number) => Object.defineProperty(given, "size", { value: size });
function read(given: File, options: object = {}, document: Partial<DocumentText> = {}) {
  const readDocument = vi.fn<ReadDocument>(async () => ({ ...DOCUMENT, ...document }));
  const preparePicture = vi.fn(async (picture: File, _maxBytes: number): Promise<Blob> => picture);
  const rules = { id: "id", acceptsImages: true, attachedCount: 0, readDocument, preparePicture, signal, ...options };
  return { readDocument, preparePicture, result: readFile(given, rules) };
}

test.each([
  ["a.png", file("a.png", "image/png"), "image", "data:image/png;base64,YWJj"],
  ["a.md", file("a.md", "text/markdown", "Grüße"), "text", "Grüße"],
  ["a.rs", file("a.rs", "", "fn main() {}"), "text", "fn main() {}"],
])("the attachment %s is read in the browser", async (_name, given, kind, data) => {
  const { result, readDocument } = read(given);
  expect(await result).toMatchObject({ attachment: { id: "id", kind, data, name: given.name }, note: null });
  expect(readDocument).not.toHaveBeenCalled();
});

test.each([
  ["a PDF of plain characters", file("a.pdf", "application/pdf", "%PDF-1.7")],
  ["a file with other bytes than UTF-8", file("a.xlsx", "", new Uint8Array([80, 75, 3, 4, 255]))],
  ["a text with zeros, such as UTF-16", file("a.txt", "text/plain", "a\u0000b\u0000")],
  ["a long text", file("a.txt", "text/plain", "x".repeat(MAX_TEXT_BYTES + 1))],
])("%s is read by the server", async (_what, given) => {
  const { result, readDocument } = read(given);
  expect(await result).toEqual({
    attachment: {
      id: "id",
      kind: "text",
      name: given.name,
      type: "application/pdf",
      size: given.size,
      pages: 2,
      data: DOCUMENT.text,
    },
    note: null,
  });
  expect(readDocument).toHaveBeenCalledWith(given, signal);
});

test.each<[Partial<DocumentText>, string]>([
  [{ pages: 900, pages_read: 500, cut_at: "pages" }, "Only 500 of 900 pages were read."],
  [{ pages: null, pages_read: null, cut_at: "characters" }, "It is too long, so only its beginning was read."],
])("a document that was cut tells the user and the model: %o", async (document, note) => {
  const { result } = read(file("a.pdf", "", "%PDF-"), {}, document);
  expect(await result).toMatchObject({
    attachment: { data: `${DOCUMENT.text}\n\n[The document was cut here.]` },
    note,
  });
});

test.each([
  ["an SVG", file("a.svg", "image/svg+xml"), {}, "Images are taken as PNG, JPEG, WebP or GIF."],
  ["an image without vision", file("a.png", "image/png"), { acceptsImages: false }, "This model does not take images."],
  [
    "a very large image",
    sized(file("a.png", "image/png"), MAX_CHOSEN_IMAGE_BYTES + 1),
    {},
    "Images may have at most 40 MB.",
  ],
  ["a large GIF", sized(file("a.gif", "image/gif"), MAX_IMAGE_BYTES + 1), {}, "GIFs may have at most 4 MB."],
  [
    "an image that the browser cannot read",
    file("a.jpg", "image/jpeg"),
    { preparePicture: () => Promise.reject(new Error("broken")) },
    "The browser cannot read this image.",
  ],
  ["a large document", sized(file("a.pdf", ""), MAX_DOCUMENT_BYTES + 1), {}, "Files may have at most 20 MB."],
  ["a ninth file", file("a.txt", "text/plain"), { attachedCount: 8 }, "At most 8 files go with a message."],
])("%s is rejected with a reason", async (_what, given, options, problem) => {
  expect(await read(given, options).result).toEqual({ problem });
});

test("an image is sent as it was drawn anew, with the bytes and the type that this has", async () => {
  const drawn = new Blob(["smaller"], { type: "image/jpeg" });
  const preparePicture = vi.fn(async () => drawn);
  const given = sized(file("IMG_1.png", "image/png"), 30 * 1024 * 1024);
  expect(await read(given, { preparePicture }).result).toMatchObject({
    attachment: { name: "IMG_1.png", type: "image/jpeg", size: 7, data: "data:image/jpeg;base64,c21hbGxlcg==" },
  });
  expect(preparePicture).toHaveBeenCalledWith(given, MAX_IMAGE_BYTES);
});

test("a GIF is sent as it is, since it may move", async () => {
  const { result, preparePicture } = read(file("a.gif", "image/gif"));
  expect(await result).toMatchObject({ attachment: { type: "image/gif", data: "data:image/gif;base64,YWJj" } });
  expect(preparePicture).not.toHaveBeenCalled();
});

test("what the server says of a document that it cannot read is the reason", async () => {
  const readDocument: ReadDocument = () => Promise.reject(new Error("a.pdf is encrypted."));
  expect(await read(file("a.pdf", "", "%PDF-"), { readDocument }).result).toEqual({ problem: "a.pdf is encrypted." });
});

const text = (id: string, length: number): Attachment => ({
  id,
  kind: "text",
  name: id,
  type: "text/plain",
  size: length,
  data: "x".repeat(length),
});
const image: Attachment = { ...text("image", 50), kind: "image" };
const lengths = (attachments: readonly Attachment[]) => attachments.map(({ data }) => data.length);
test.each<[string, Attachment[], number, number[]]>([
  ["files that fit", [text("a", 100), text("b", 200)], 400, [100, 200]],
  ["the longest text", [text("a", 100), text("b", 2_000)], 600, [100, 500]],
  ["long texts alike", [text("a", 2_000), text("b", 3_000)], 1_000, [500, 500]],
  ["texts but no images", [image, text("a", 1_000)], 250, [50, 200]],
])("cutting to fit: %s", (_what, attachments, max, expected) => {
  expect(lengths(cutToFit(attachments, max, ({ data }) => data.length))).toEqual(expected);
});

test.each([
  [90, "90 bytes"],
  [12_345, "12 kB"],
  [4_400_000, "4.2 MB"],
])("formats %i bytes as %s", (bytes, words) => {
  expect(formatFileSize(bytes)).toBe(words);
});
