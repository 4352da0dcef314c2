import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { readInProcess, toSandboxCommand } from "./reader-process.ts";
import { docx, paragraph, pdf, pdfOfContent } from "./testing/sample-documents.ts";

const LIMITS = { pages: 10, characters: 100_000, unpackedBytes: 2_000_000_000, seconds: 60, memoryMegabytes: 256 };
const MEGABYTE = 1024 * 1024;
const never = () => new AbortController().signal;

test("a document is read in a process of its own", async () => {
  expect(await readInProcess(await pdf(["Feathers"]), "a.pdf", LIMITS, never())).toMatchObject({
    contents: { text: "--- page 1 of 1 ---\nFeathers", pages: 1 },
  });
});

test("the process says what cannot be read", async () => {
  expect(await readInProcess(Buffer.from("words"), "a.pdf", LIMITS, never())).toMatchObject({
    problem: { kind: "not_supported" },
  });
});

test("a document that takes too long is given up", async () => {
  const slow = docx(paragraph("x").repeat(2_000_000));
  expect(await readInProcess(slow, "a.docx", { ...LIMITS, characters: 20_000_000, seconds: 1 }, never())).toEqual({
    problem: { kind: "too_large", reason: "it takes more than 1 s" },
  });
});

test("a page that unpacks to more than the memory ends only its process, and this one's memory stays flat", async () => {
  const bomb = pdfOfContent(Buffer.alloc(600 * MEGABYTE, " "));
  const before = process.memoryUsage.rss();
  const outcome = await readInProcess(bomb, "a.pdf", LIMITS, never());
  expect(outcome).toEqual({ problem: { kind: "too_large", reason: "it takes too much memory" } });
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MEGABYTE);
});

test("a paragraph that takes too much memory is given up", async () => {
  const deep = `<w:p>${"<w:r>".repeat(4_000_000)}`;
  expect(await readInProcess(docx(deep), "a.docx", LIMITS, never())).toEqual({
    problem: { kind: "too_large", reason: "it takes too much memory" },
  });
});

test("a process that says more than the text of a document may have is ended", async () => {
  const text = "\u001b".repeat(70_000); // six bytes each in JSON
  const limits = { ...LIMITS, characters: 70_000 };
  expect(await readInProcess(docx(paragraph("a".repeat(70_000))), "a.docx", limits, never())).toMatchObject({
    contents: { text: "a".repeat(70_000) },
  });
  const escapes = Buffer.from(text);
  expect(await readInProcess(escapes, "a.txt", limits, never())).toMatchObject({ contents: { text } });
  // With this limit whatever it says is too much.
  const tooSmall = { ...limits, characters: -100_000 };
  expect(await readInProcess(escapes, "a.txt", tooSmall, never())).toEqual({ problem: { kind: "damaged" } });
});

test("a document is no longer read when nobody waits for it", async () => {
  const asker = new AbortController();
  const reading = readInProcess(docx(paragraph("x").repeat(2_000_000)), "a.docx", LIMITS, asker.signal);
  asker.abort(new Error("gone"));
  await expect(reading).rejects.toThrow("gone");
  await expect(readInProcess(Buffer.from("x"), "a.txt", LIMITS, asker.signal)).rejects.toThrow("gone");
  expect(getEventListeners(asker.signal, "abort")).toEqual([]);
});

test.each([
  ["read other files", 'require("node:fs").readFileSync("/etc/hosts")'],
  ["write files", 'require("node:fs").writeFileSync("/tmp/written", "x")'],
  ["start programs", 'require("node:child_process").execSync("true")'],
  ["start threads", 'new (require("node:worker_threads").Worker)("0", { eval: true })'],
  ["open connections", 'await require("node:events").once(require("node:net").connect(9, "127.0.0.1"), "connect")'],
])("code in the sandbox may not %s", (_what, code) => {
  const program = `(async () => { ${code}; return "may"; })().catch(({ code }) => code).then(console.log)`;
  const { stdout } = spawnSync(...toSandboxCommand(LIMITS, ["-e", program]), { env: {}, encoding: "utf8" });
  expect(stdout).toBe("ERR_ACCESS_DENIED\n");
});
