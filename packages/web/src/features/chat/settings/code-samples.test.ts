import { expect, test } from "vitest";
import { answer, question } from "#/testing/conversations.ts";
import { toRequest } from "../answering/request.ts";
import { DEFAULT_SETTINGS } from "../conversation/settings.ts";
import { buildTree, visibleTurns } from "../conversation/tree.ts";
import type { Entry } from "../conversation/types.ts";
import { createRequestSamples } from "./code-samples.ts";

const HOSTILE = `It's "quoted" $(touch /tmp/x) \`id\` \\ \n{{x}} </script> ' ''`;
const requestOf = (entries: Entry[], settings = {}) =>
  toRequest({
    turns: visibleTurns(buildTree(entries), {}),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    model: "m/one",
    lane: 0,
  });
const sample = (name: string, entries: Entry[], settings = {}) =>
  createRequestSamples(requestOf(entries, settings), "http://localhost:4000").find((one) => one.name === name)?.code ??
  "";
const hostile = [question("q1", { text: HOSTILE })];

/** What a shell makes of the words of a command. */
function words(command: string): string[] {
  const found: string[] = [];
  let word: string | null = null;
  for (const [, single, double, escaped, blank, plain] of command.matchAll(
    /'([^']*)'|"([^"$`\\]*(?:\$[A-Z_]+)?)"|\\([\s\S])|(\s+)|([^\s'"\\])/g,
  )) {
    if (blank !== undefined || escaped === "\n") {
      if (word !== null) found.push(word);
      word = null;
    } else word = (word ?? "") + (single ?? double ?? escaped ?? plain ?? "");
  }
  return word === null ? found : [...found, word];
}

test("the curl sample sends exactly the request body", () => {
  const args = words(sample("curl", hostile));
  const body = JSON.parse(args[args.indexOf("-d") + 1] ?? "");
  expect(body.messages).toEqual([{ role: "user", content: HOSTILE }]);
  expect(args).toContain("authorization: Bearer $FEATHER_API_KEY");
});

test("the CLI sample uses feather chat for a single question", () => {
  const command = sample("CLI", hostile, { system: "Be brief.", seed: "7", top_p: 0.9 })
    .split("\n")
    .slice(2)
    .join("\n");
  expect(words(command)).toEqual([
    ..."feather chat -m m/one -s".split(" "),
    "Be brief.",
    ..."--temperature 0.7 --max-tokens 1024 --top-p 0.9 --seed 7".split(" "),
    HOSTILE,
  ]);
});

test.each([
  ["a longer talk", [question("q1"), answer("a1", "q1"), question("q2", { after: ["a1"], createdAt: 3 })], {}],
  ["a setting without a flag", [question("q1")], { min_p: 0.1 }],
])("the CLI sample uses feather api for %s", (_, entries, settings) => {
  const command = sample("CLI", entries, settings).split("\n").slice(2).join("\n");
  const args = words(command);
  expect(args.slice(0, 4)).toEqual(["feather", "api", "POST", "/v1/chat/completions"]);
  expect(JSON.parse(args[5] ?? "").stream).toBe(false);
});

test("the Python sample puts parameters unknown to its client into extra_body", () => {
  const code = sample("Python", hostile, { min_p: 0.1, include_stop_str_in_output: true });
  expect(code).toContain('model="m/one"');
  expect(code).toMatch(/extra_body=\{\s+"min_p": 0.1,\s+"include_stop_str_in_output": True,/);
  expect(code).toContain(JSON.stringify(HOSTILE));
  expect(code).not.toMatch(/: (true|false|null)\b/);
});

test("the TypeScript sample contains the request", () => {
  expect(sample("TypeScript", hostile)).toContain(JSON.stringify(HOSTILE));
});

test("image data is shortened in samples", () => {
  const data = `data:image/png;base64,${"A".repeat(5000)}`;
  const attachments = [{ id: "i", kind: "image" as const, name: "a", type: "image/png", size: 1, data }];
  for (const { code } of createRequestSamples(requestOf([question("q1", { attachments })]), "http://x"))
    expect(code.length).toBeLessThan(2_000);
});
