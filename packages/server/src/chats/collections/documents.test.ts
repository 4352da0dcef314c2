import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { docx, paragraph, pdf } from "../documents/testing/sample-documents.ts";
import { createCollectionCalls } from "./testing/collections.ts";

const MEGABYTE = 1024 * 1024;
let server: TestServer;
let calls: ReturnType<typeof createCollectionCalls>;
let owner: Account;
let id: string;

beforeAll(async () => {
  server = await createTestServer({
    env: {
      FEATHER_COLLECTION_PASSAGES: "5010",
      FEATHER_DOCUMENT_MEGABYTES: "8",
      FEATHER_DOCUMENT_UNPACKED_MEGABYTES: "1",
    },
  });
  calls = createCollectionCalls(server);
});
beforeEach(async () => {
  owner = await server.signUpOnPlan({});
  ({ id } = await calls.create(owner));
});
afterAll(() => server.close());

const messageOf = (body: unknown) => (JSON.parse((body as { data: string }).data) as { message: string }).message;
const passage = (documentId: string, number: number) =>
  calls.read(owner, `/${id}/documents/${documentId}/passages/${number}`);
const countRows = async () =>
  (await server.db.selectFrom("collection_passages").select("number").where("collection_id", "=", id).execute()).length;

describe("adding a document", () => {
  test("stores its passages with their pages, and who added it", async () => {
    const added = await calls.add(owner, id, "report.pdf", await pdf(["Feathers are light.", "Down is lighter."]));
    expect(added).toMatchObject({
      name: "report.pdf",
      type: "application/pdf",
      pages: 2,
      cut_at: null,
      passages: 2,
      embedded_passages: 0,
      state: "ready",
      problem: null,
      next_try_at: null,
    });
    expect(await calls.documents(owner, id)).toEqual([added]);
    expect(await passage(added.id, 2)).toMatchObject({
      collection_id: id,
      document_id: added.id,
      document_name: "report.pdf",
      number: 2,
      page: 2,
      text: "Down is lighter.",
    });
    expect(await calls.read(owner, `/${id}`)).toMatchObject({ documents: 1, passages: 2 });
  });

  test("says where a passage is in the text that the call for texts of documents returns", async () => {
    const content = await pdf(["Feathers are light.", "Down is lighter."]);
    const added = await calls.add(owner, id, "report.pdf", content);
    const { start, end, text } = (await passage(added.id, 2)) as { start: number; end: number; text: string };
    const body = new FormData();
    body.append("file", new File([new Uint8Array(content)], "report.pdf"));
    const whole = (await server.call("/v1/documents/text", { token: owner.token, body })).body as { text: string };
    expect(whole.text.slice(start, end)).toBe(text);
  });

  test("leaves nothing readable in the database", async () => {
    await calls.add(owner, id, "secret-plan.txt", "The codeword is zanzibar.");
    const rows = await Promise.all([
      server.db.selectFrom("collection_documents").selectAll().where("collection_id", "=", id).execute(),
      server.db.selectFrom("collection_passages").selectAll().where("collection_id", "=", id).execute(),
    ]);
    const bytes = rows.flat().flatMap((row) => Object.values(row).map((value) => String(value)));
    expect(bytes.join(" ")).not.toMatch(/zanzibar|secret-plan/);
  });

  test("keeps no characters of a file's name that cannot be seen", async () => {
    expect(await calls.add(owner, id, "re\u202eport\u0007.txt", "words")).toMatchObject({ name: "report.txt" });
  });

  test("is in the audit log, without the name of the file", async () => {
    const { id: documentId } = await calls.add(owner, id, "layoffs.txt", "words");
    await calls.call(owner, `/${id}/documents/${documentId}`, "DELETE");
    const log = await server.db.selectFrom("audit_log").selectAll().where("target", "=", documentId).execute();
    expect(log.map(({ action }) => action).sort()).toEqual([
      "collections.documents.add",
      "collections.documents.delete",
    ]);
    expect(JSON.stringify(log)).not.toContain("layoffs");
  });
});

describe("a file that cannot be read", () => {
  test.each([
    ["an empty file", () => "", "empty.txt", "invalid_request"],
    ["an encrypted PDF", () => pdf(["x"], { userPassword: "secret" }), "a.pdf", "documents.encrypted"],
    ["a text called .pdf", () => "words", "a.pdf", "documents.not_supported"],
    ["a broken DOCX", () => docx(paragraph("x")).subarray(0, 90), "a.docx", "documents.damaged"],
    [
      "a DOCX that unpacks to too much",
      () => docx(paragraph(" ".repeat(2 * MEGABYTE))),
      "a.docx",
      "documents.too_large",
    ],
    ["a program", () => Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]), "a.txt", "documents.not_supported"],
  ])("such as %s is refused with 400, and changes nothing", async (_what, content, name, code) => {
    const answer = await calls.upload(owner, id, name, await content());
    expect([answer.status, errorCode(answer.body)]).toEqual([400, code]);
    expect(await calls.documents(owner, id)).toEqual([]);
  });

  test("a form without a file is refused with 400", async () => {
    const answer = await server.call(`/api/collections/${id}/documents`, { token: owner.token, body: new FormData() });
    expect([answer.status, messageOf(answer.body)]).toEqual([400, expect.stringContaining("Send the file")]);
  });

  test("one above the limit of bytes is refused with 413", async () => {
    const answer = await calls.upload(owner, id, "big.txt", Buffer.alloc(8 * MEGABYTE + 1, "x"));
    expect([answer.status, errorCode(answer.body)]).toEqual([413, "payload_too_large"]);
  });
});

describe("the same file twice", () => {
  test("is refused with 409 in words, under another name too, and is there once", async () => {
    const { id: documentId } = await calls.add(owner, id, "first.txt", "the same words");
    const again = await calls.upload(owner, id, "second.txt", "the same words");
    expect([again.status, errorCode(again.body)]).toEqual([409, "collections.document_exists"]);
    expect(messageOf(again.body)).toBe("The collection has the content of this file already, as first.txt.");
    expect((await calls.documents(owner, id)).map((one) => one.id)).toEqual([documentId]);
  });

  test("is there once when it is sent several times at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) => calls.upload(owner, id, `${index}.txt`, "the same words")),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await countRows()).toBe(1);
  });

  test("may be in another collection, and again after it was deleted", async () => {
    const { id: documentId } = await calls.add(owner, id, "a.txt", "the same words");
    const other = await calls.create(owner, { name: "Other" });
    await calls.add(owner, other.id, "a.txt", "the same words");
    await calls.call(owner, `/${id}/documents/${documentId}`, "DELETE");
    await calls.add(owner, id, "a.txt", "the same words");
    expect(await countRows()).toBe(1);
  });
});

test("a document of 5,000 passages is stored, and one that would be too much for the organization is refused", async () => {
  const line = (index: number) => `${"feather ".repeat(130)}${index}\n`;
  const long = Array.from({ length: 5_000 }, (_, index) => line(index)).join("\n");
  const limits = { FEATHER_DOCUMENT_CHARACTERS: "5900000" };
  const wide = await createTestServer({ env: { ...limits, FEATHER_COLLECTION_PASSAGES: "5010" } });
  try {
    const wideCalls = createCollectionCalls(wide);
    const who = await wide.signUpOnPlan({});
    const collection = await wideCalls.create(who);
    const added = await wideCalls.add(who, collection.id, "long.txt", long);
    expect(added).toMatchObject({ passages: 5_000, cut_at: null });
    const { items } = await wideCalls.search(who, [collection.id], "4321");
    expect(items[0]?.number).toBe(4_322);
    const more = Array.from({ length: 20 }, (_, index) => line(9_000 + index)).join("\n");
    const refused = await wideCalls.upload(who, collection.id, "more.txt", more);
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "collections.full"]);
    expect(messageOf(refused.body)).toBe(
      "The document has 20 passages, and your organization has 5000 of 5010 already.",
    );
    expect(await wideCalls.read(who, `/${collection.id}`)).toMatchObject({ documents: 1, passages: 5_000 });
  } finally {
    await wide.close();
  }
});

describe("deleting", () => {
  test("a document deletes its passages, and is 404 the second time", async () => {
    const { id: documentId } = await calls.add(owner, id, "a.txt", "words");
    const remove = () => calls.call(owner, `/${id}/documents/${documentId}`, "DELETE");
    expect((await remove()).status).toBe(204);
    expect(await countRows()).toBe(0);
    const again = await remove();
    expect([again.status, errorCode(again.body)]).toEqual([404, "collections.document_not_found"]);
  });

  test("a passage that is not there is 404, also by a collection to which its document does not belong", async () => {
    const { id: documentId } = await calls.add(owner, id, "a.txt", "words");
    const other = await calls.create(owner, { name: "Other" });
    for (const path of [
      `/${id}/documents/${documentId}/passages/2`,
      `/${other.id}/documents/${documentId}/passages/1`,
    ]) {
      const answer = await calls.call(owner, path);
      expect([answer.status, errorCode(answer.body)]).toEqual([404, "collections.passage_not_found"]);
    }
    const answer = await calls.call(owner, `/${other.id}/documents/${documentId}`, "DELETE");
    expect(answer.status).toBe(404);
    expect(await countRows()).toBe(1);
  });

  test("the secret's replacement without the one before deletes collections, which nothing could read", async () => {
    const { deleteSealed } = await import("../../platform/installation/sealed-columns.ts");
    await calls.add(owner, id, "a.txt", "words");
    await expect(
      server.db.transaction().execute(async (trx) => {
        await deleteSealed(trx);
        expect(await trx.selectFrom("collections").selectAll().execute()).toEqual([]);
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
  });
});
