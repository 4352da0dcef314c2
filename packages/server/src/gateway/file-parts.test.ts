import OpenAI, { BadRequestError } from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { docx, paragraph, pdf } from "../chats/documents/testing/sample-documents.ts";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let caller: Account;
let client: OpenAI;

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_DOCUMENT_MEGABYTES: "1", FEATHER_DOCUMENT_CHARACTERS: "1000" } });
  caller = await server.signUpOnPlan({});
  const { secret } = await server.createKey(caller, { scopes: ["api.access"] });
  client = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const input_modalities = ["text", "file"];
  await server.db.updateTable("models").set({ input_modalities }).where("id", "=", LARGE_MODEL).execute();
  server.api.catalogue.callableModels.invalidate();
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const toDataUrl = (content: Buffer | string, type = "application/pdf") =>
  `data:${type};base64,${Buffer.from(content).toString("base64")}`;
const fileOf = (content: Buffer | string, filename = "report.pdf") => ({
  type: "file" as const,
  file: { filename, file_data: toDataUrl(content) },
});
const QUESTION = { type: "text" as const, text: "What does it say?" };
const ask = (content: object[], model = MODEL) =>
  server.call("/v1/chat/completions", {
    token: caller.token,
    body: createChatRequest({ model, messages: [{ role: "user", content }] }),
  });
const REPORT = '<file name="report.pdf">\n--- page 1 of 1 ---\nFeathers are light.\n</file>';

describe("files in calls of a model that takes none", () => {
  test("the official OpenAI client sends a PDF in a chat, and the model gets its text with its name", async () => {
    const upstream = await server.addUpstream();
    const answer = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: "user", content: [fileOf(await pdf(["Feathers are light."])), QUESTION] }],
    });
    expect(answer.choices[0]?.message.content).toBe("Hello!");
    const sent = JSON.stringify(upstream.recordedRequests[0]?.body.messages);
    expect(sent).toContain(JSON.stringify(REPORT).slice(1, -1));
    expect(sent).toContain(QUESTION.text);
    expect(sent).not.toContain("base64");
  });

  test("the official OpenAI client sends a PDF to the Responses API, and the model gets its text", async () => {
    const upstream = await server.addUpstream();
    const file_data = toDataUrl(await pdf(["Feathers are light."]));
    const response = await client.responses.create({
      model: MODEL,
      input: [{ role: "user", content: [{ type: "input_file", filename: "report.pdf", file_data }] }],
    });
    expect(response.output_text).toBe("Hello!");
    expect(JSON.stringify(upstream.recordedRequests[0]?.body.messages)).toContain("Feathers are light.");
  });

  test("a name cannot end its quotation, and a file without one is called file", async () => {
    const upstream = await server.addUpstream();
    await ask([fileOf("One.", '"><b>\u202e.txt'), { type: "file", file: { file_data: toDataUrl("Two.") } }]);
    const sent = JSON.stringify(upstream.recordedRequests[0]?.body.messages);
    expect(sent).toContain(JSON.stringify('<file name="___b__.txt">\nOne.').slice(1, -1));
    expect(sent).toContain(JSON.stringify('<file name="file">\nTwo.').slice(1, -1));
  });

  test("a text that is longer than the operator allows ends there, which the model is told", async () => {
    const upstream = await server.addUpstream();
    await ask([fileOf("word ".repeat(1_000), "long.txt")]);
    expect(JSON.stringify(upstream.recordedRequests[0]?.body.messages)).toContain("[The document was cut here.]");
  });

  test.each<[string, () => Promise<object> | object, number, string, RegExp]>([
    ["a PDF without text", async () => fileOf(await pdf([""])), 400, "documents.no_text", /report\.pdf/],
    ["a text that is called PDF", () => fileOf("Just words."), 400, "documents.not_supported", /report\.pdf/],
    ["a damaged PDF", () => fileOf("%PDF-1.7 nothing"), 400, "documents.damaged", /report\.pdf/],
    ["a file that is too large", () => fileOf("x".repeat(1_100_000), "a.txt"), 413, "payload_too_large", /1 MB/],
    [
      "a file that is named by an id",
      () => ({ type: "file", file: { file_id: "file-1" } }),
      400,
      "invalid_request",
      /this server keeps no files\. Send the file itself in file_data/,
    ],
  ])("%s is refused in words, and no model is called", async (_what, part, status, code, message) => {
    const upstream = await server.addUpstream();
    const answer = await ask([QUESTION, await part()]);
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      status,
      { code, message: expect.stringMatching(message) },
    ]);
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("the official OpenAI client is told that ids of files are not taken in the Responses API", async () => {
    const call = client.responses.create({
      model: MODEL,
      input: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }],
    });
    await expect(call).rejects.toThrow(BadRequestError);
    await expect(call).rejects.toThrow(/this server keeps no files/);
  });

  test("more than eight files are refused before one is read", async () => {
    const answer = await ask(Array.from({ length: 9 }, () => fileOf("Words.", "a.txt")));
    expect([answer.status, errorOf(answer.body).message]).toEqual([400, expect.stringContaining("At most 8 files")]);
  });

  test("a short file whose text is longer than the model's context is refused with the tokens that it has", async () => {
    const { count, ...other } = await askLong();
    expect(other).toEqual({ status: 400, code: "context_length_exceeded" });
    expect(count).toBe(0);
  });
});

/** Asks about a DOCX whose packed text is small, on a server that reads long texts. */
async function askLong() {
  const large = await createTestServer();
  try {
    const { token } = await large.signUpOnPlan({});
    const upstream = await large.addUpstream();
    const content = [fileOf(docx(paragraph("word ".repeat(390_000))), "long.docx")];
    const body = createChatRequest({ model: MODEL, messages: [{ role: "user", content }] });
    const answer = await large.call("/v1/chat/completions", { token, body });
    return { status: answer.status, code: errorOf(answer.body).code, count: upstream.recordedRequests.length };
  } finally {
    await large.close();
  }
}

test("a model that takes files gets the file as it was sent, and it is not read", async () => {
  const upstream = await server.addUpstream({}, [LARGE_MODEL]);
  const part = fileOf("%PDF-1.7 nothing");
  expect((await ask([part], LARGE_MODEL)).status).toBe(200);
  expect(upstream.recordedRequests[0]?.body.messages).toEqual([{ role: "user", content: [part] }]);
});

test("a caller who may not call the model is refused before a file is read", async () => {
  await server.addUpstream();
  const { secret } = await server.createKey(caller, { scopes: ["api.access"], allowed_models: [LARGE_MODEL] });
  const content = [fileOf("%PDF-1.7 nothing")];
  const body = createChatRequest({ model: MODEL, messages: [{ role: "user", content }] });
  const answer = await server.call("/v1/chat/completions", { token: secret, body });
  expect([answer.status, errorOf(answer.body).code]).not.toContain("documents.damaged");
  expect(answer.status).toBeGreaterThanOrEqual(403);
});
