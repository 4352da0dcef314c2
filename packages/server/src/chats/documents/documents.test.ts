import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorOf } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { docx, paragraph, pdf, xlsx } from "./testing/sample-documents.ts";

const MEGABYTE = 1024 * 1024;
let server: TestServer;
let caller: Account;

beforeAll(async () => {
  server = await createTestServer({
    env: {
      FEATHER_DOCUMENT_MEGABYTES: "1",
      FEATHER_DOCUMENT_PAGES: "2",
      FEATHER_DOCUMENT_CHARACTERS: "1000",
      FEATHER_DOCUMENT_UNPACKED_MEGABYTES: "1",
    },
  });
  caller = await server.signUp();
});
afterAll(() => server.close());

type Content = Buffer | string;
function send(content: Content, name: string, token = caller.token) {
  const body = new FormData();
  body.append("file", new File([new Uint8Array(Buffer.from(content))], name));
  return server.call("/v1/documents/text", { token, body });
}

describe("the text of a document", () => {
  test("a PDF is answered with its text, its pages, its length and an estimate of its tokens", async () => {
    const answer = await send(await pdf(["Feathers are light."]), "report.pdf");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(answer.body).toEqual({
      name: "report.pdf",
      type: "application/pdf",
      text: "--- page 1 of 1 ---\nFeathers are light.",
      pages: 1,
      pages_read: 1,
      characters: 39,
      tokens: 10,
      cut_at: null,
    });
  });

  test.each<[string, Content, string, object]>([
    ["a DOCX", docx(paragraph("Hello")), "a.docx", { text: "Hello", pages: null, pages_read: null }],
    [
      "an XLSX",
      xlsx([{ name: "A", rows: '<row><c r="A1"><v>1</v></c></row>' }]),
      "a.xlsx",
      { text: "--- sheet 1 of 1: A ---\n1", pages: 1, pages_read: 1 },
    ],
    ["a CSV", "a,b\n1,2\n", "a.csv", { type: "text/csv", text: "a,b\n1,2" }],
    ["a text in wide characters", "東京は首都です", "a.txt", { characters: 7, tokens: 7 }],
    ["a DOCX by another name", docx(paragraph("Hello")), "a.bin", { name: "a.bin", text: "Hello" }],
    ["a text above the limit of characters", "x".repeat(5_000), "a.txt", { characters: 1_000, cut_at: "characters" }],
  ])("%s is answered with its text", async (_what, content, name, expected) => {
    const { status, body } = await send(content, name);
    expect([status, body]).toEqual([200, expect.objectContaining(expected)]);
  });

  test("a PDF above the limit of pages is cut there", async () => {
    const { body } = await send(await pdf(["1", "2", "3"]), "long.pdf");
    expect(body).toMatchObject({ pages: 3, pages_read: 2, cut_at: "pages" });
  });

  test.each<[string, () => Content | Promise<Content>, string, string, string]>([
    [
      "a text called .pdf",
      () => "words",
      "a.pdf",
      "documents.not_supported",
      "a.pdf cannot be read: it is called .pdf, but its content is not of that kind.",
    ],
    [
      "an encrypted PDF",
      () => pdf(["x"], { userPassword: "secret" }),
      "a.pdf",
      "documents.encrypted",
      "a.pdf is encrypted. Save it without a password, and send that.",
    ],
    [
      "a broken DOCX",
      () => docx(paragraph("x")).subarray(0, 90),
      "a.docx",
      "documents.damaged",
      "a.docx cannot be read: the file is damaged or incomplete.",
    ],
    [
      "a PDF of pictures",
      () => pdf([""]),
      "scan.pdf",
      "documents.no_text",
      "scan.pdf holds no text. If its pages are pictures, as scanned ones are, send pictures to a model that takes them.",
    ],
    [
      "a DOCX that unpacks to too much",
      () => docx(paragraph(" ".repeat(2 * MEGABYTE))),
      "bomb.docx",
      "documents.too_large",
      "bomb.docx cannot be read: it takes more than 1 MB unpacked.",
    ],
  ])("%s is refused with 400 in words", async (_what, content, name, code, message) => {
    const answer = await send(await content(), name);
    expect(answer.status).toBe(400);
    expect(errorOf(answer.body)).toMatchObject({ code, message, param: "file" });
  });

  test("a document above the limit of bytes is refused with 413", async () => {
    const answer = await send(Buffer.alloc(MEGABYTE + 1, "x"), "big.txt");
    expect(answer.status).toBe(413);
    expect(errorOf(answer.body)).toMatchObject({ code: "payload_too_large", message: "big.txt has more than 1 MB." });
  });

  test.each([
    ["no file", new FormData(), "Send the file"],
    [
      "a field that is not known",
      (() => {
        const form = new FormData();
        form.append("file", new File(["x"], "a.txt"));
        form.append("pages", "3");
        return form;
      })(),
      "pages",
    ],
  ])("a form with %s is refused with 400", async (_what, body, message) => {
    const answer = await server.call("/v1/documents/text", { token: caller.token, body });
    expect([answer.status, errorOf(answer.body).message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe("who may have documents read", () => {
  test("a key that may call models", async () => {
    const { secret } = await server.createKey(caller);
    expect((await send("words", "a.txt", secret)).status).toBe(200);
  });

  test("a key without that scope is refused with 403", async () => {
    const { secret } = await server.createKey(caller, { scopes: ["user.read"] });
    const answer = await send("words", "a.txt", secret);
    expect([answer.status, errorOf(answer.body).code]).toEqual([403, "key_scope_denied"]);
  });

  test("nobody without a credential", async () => {
    expect((await send("words", "a.txt", "")).status).toBe(401);
  });

  test("a document holds no units and leaves no row of usage", async () => {
    const { headers } = await send("words", "a.txt");
    expect(await server.usageRow(headers.get("request-id"))).toBeUndefined();
  });
});
