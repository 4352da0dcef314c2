import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-schema-"));
const schema = { type: "object", properties: { age: { type: "integer" } } };
const file = join(folder, "a person.json");
beforeAll(() => {
  writeFileSync(file, JSON.stringify(schema));
  writeFileSync(join(folder, "list.json"), "[]");
  writeFileSync(join(folder, "text.json"), "age");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let answer = { content: '{"age": 34}', reason: "stop" };
const { run, requests } = setupCli({
  "POST /v1/chat/completions": () => ({
    body: { choices: [{ message: { role: "assistant", content: answer.content }, finish_reason: answer.reason }] },
  }),
});
const chat = (...argv: string[]) => run(["chat", "-m", "a/b", "--schema", ...argv]);

describe("feather chat --schema", () => {
  test("feather chat --schema asks for JSON by the schema, and prints it", async () => {
    answer = { content: '{"age": 34}', reason: "stop" };
    const { code, out } = await chat(file, "Maria is 34.");
    expect([code, out]).toEqual([0, '{"age":34}\n']);
    expect(requests()[0]?.body).toMatchObject({
      response_format: { type: "json_schema", json_schema: { name: "a_person", schema } },
    });
  });

  test("feather chat --schema prints the whole completion with --json", async () => {
    const { out } = await chat(file, "Maria is 34.", "--json");
    expect(JSON.parse(out)).toHaveProperty("choices");
  });

  test.each([
    ["that is not JSON", "34", { content: "She is 34.", reason: "stop" }, "not JSON"],
    ["that was cut off", "34", { content: '{"age"', reason: "length" }, "--max-tokens"],
  ])("feather chat --schema ends with 5 for an answer %s", async (_, prompt, next, message) => {
    answer = next;
    const { code, out, err } = await chat(file, prompt);
    expect([code, out, err]).toEqual([5, "", expect.stringContaining(message)]);
  });

  test.each([
    [[join(folder, "list.json"), "hi"], "holds no JSON Schema"],
    [[join(folder, "text.json"), "hi"], "holds no JSON Schema"],
    [[join(folder, "none.json"), "hi"], "there is no such file"],
    [[file], "--schema needs a prompt"],
  ])("feather chat --schema rejects %j and sends nothing", async (argv, message) => {
    const { code, err } = await chat(...argv);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(requests()).toEqual([]);
  });
});
