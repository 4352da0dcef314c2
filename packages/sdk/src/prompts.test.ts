import { describe, expect, test } from "vitest";
import { fillPrompt, promptVariables } from "./prompts.ts";

describe("the variables of a prompt", () => {
  test("are named once, in the order in which they come", () => {
    expect(promptVariables("{{text}} in {{language}}, {{ text }}")).toEqual(["text", "language"]);
  });

  test("can have letters of any script, digits, underscores and hyphens", () => {
    expect(promptVariables("{{größe}} {{名前}} {{a-1}} {{b_2}}")).toEqual(["größe", "名前", "a-1", "b_2"]);
  });

  test.each([
    "{name}",
    "{{}}",
    "{{ }}",
    "{{a b}}",
    "{{a\nb}}",
    "{{a.b}}",
    "{{#if x}}",
    `{{${"a".repeat(41)}}}`,
    "{ {a} }",
  ])("are not %j", (text) => {
    expect(promptVariables(text)).toEqual([]);
    expect(fillPrompt(text, { a: "1", name: "2", x: "3" })).toBe(text);
  });

  test("are found in a long text of braces without delay", () => {
    const text = "{{a".repeat(50_000);
    const startedAt = performance.now();
    expect(promptVariables(text)).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe("a prompt that is filled", () => {
  test("has the values in all places of each variable", () => {
    expect(fillPrompt("{{a}}-{{ a }}-{{b}}", { a: "1", b: "" })).toBe("1-1-");
  });

  test("keeps variables without a value, also those with names of properties of objects", () => {
    const text = "{{a}} {{toString}} {{__proto__}} {{constructor}}";
    expect(fillPrompt(text, {})).toBe(text);
  });

  test("takes values as they are, with what looks like a variable or a pattern of a replacement", () => {
    expect(fillPrompt("{{a}} {{b}}", { a: "{{b}}", b: "$& $1 $$" })).toBe("{{b}} $& $1 $$");
  });
});
