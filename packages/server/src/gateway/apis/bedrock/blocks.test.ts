import { describe, expect, test } from "vitest";
import type { Fields } from "../../formats/fields.ts";
import { type BlockContext, toCachePoint, toContentBlocks, toToolResult, toToolUseId } from "./blocks.ts";

const MARK = { cache_control: { type: "ephemeral" } };
const PDF = "data:application/pdf;base64,JVBER";
const PNG = "data:image/png;base64,iVBOR";
const CACHE_POINT = { cachePoint: { type: "default" } };

const createContext = (hasCachePoints = true): BlockContext => ({ hasCachePoints, documentNames: new Set() });
const toBlocks = (content: unknown, context = createContext()) => toContentBlocks(content, context);
const text = (words: string, fields: Fields = {}) => ({ type: "text", text: words, ...fields });
const picture = (url: unknown) => ({ type: "image_url", image_url: { url } });

/** Returns the names under which documents with the given names are sent. */
function namesOf(filenames: readonly unknown[], context = createContext()): string[] {
  const parts = filenames.map((filename) => ({ type: "file", file: { filename, file_data: PDF } }));
  return toBlocks(parts, context).map(({ document }) => (document as { name: string }).name);
}

describe("the content of a message", () => {
  test.each([
    ["a text", "Hello"],
    ["a part", [text("Hello")]],
  ])("%s becomes a block of text", (_what, content) => {
    expect(toBlocks(content)).toEqual([{ text: "Hello" }]);
  });

  test.each([
    ["an empty text", ""],
    ["a blank text", " \n\t"],
    ["a blank part", [text(" ")]],
    ["a part of text without any", [{ type: "text" }]],
    ["no parts", []],
    ["null", null],
    ["nothing", undefined],
  ])("%s becomes no block", (_what, content) => {
    expect(toBlocks(content)).toEqual([]);
  });

  test("white space around words is kept", () => {
    expect(toBlocks([text("  Hello\n"), text("\n"), text(" there ")])).toEqual([
      { text: "  Hello\n" },
      { text: " there " },
    ]);
  });

  test.each([
    ["a part of an unknown type", [{ type: "thought", text: "Hm" }], "takes no such parts"],
    ["a part that is no object", ["Hello"], "takes no such parts"],
    ["a picture at an address", [picture("https://example.com/a.png")], "takes no media by address"],
    ["a picture without an address", [picture(undefined)], "takes no media by address"],
    ["a picture whose data is not in base64", [picture("data:image/png,iVBOR")], "takes no media by address"],
    ["a document as a picture", [picture(PDF)], "takes no pictures of this type"],
  ])("%s is refused, and says so", (_what, content, message) => {
    expect(() => toBlocks(content)).toThrow(message);
  });

  test("the type of media is read without its parameters and in any case", () => {
    const image = { format: "png", source: { bytes: "iVBOR" } };
    expect(toBlocks([picture("data:IMAGE/PNG;name=a.png;base64,iVBOR"), picture(PNG)])).toEqual([{ image }, { image }]);
  });
});

describe("the name of a document", () => {
  test.each([
    ["letters, digits, brackets and hyphens are kept", "Plan-2 [new](1)", "Plan-2-[new](1)"],
    ["each row of other characters becomes one hyphen", "März: a__b.pdf", "M-rz-a-b-pdf"],
    ["a name in another script is one hyphen", "計画", "-"],
    ["an empty name is replaced", "", "document"],
    ["a missing name is replaced", undefined, "document"],
    ["null is replaced", null, "document"],
  ])("%s", (_what, filename, name) => {
    expect(namesOf([filename])).toEqual([name]);
  });

  test("documents with the same name are numbered, however it is written", () => {
    expect(namesOf(["a.pdf", "A.PDF", "a-pdf", "b.pdf"])).toEqual(["a-pdf", "A-PDF (2)", "a-pdf (3)", "b-pdf"]);
  });

  test("documents of several messages of a request are numbered together", () => {
    const context = createContext();
    expect([...namesOf([null], context), ...namesOf([null], context)]).toEqual(["document", "document (2)"]);
    expect(namesOf([null])).toEqual(["document"]);
  });

  test("long names are cut, stay different, and have at most 200 characters", () => {
    const names = namesOf(Array.from({ length: 12 }, (_value, index) => `${"x".repeat(250)}${index}`));
    expect(new Set(names).size).toBe(12);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(200);
  });

  test.each(["Plan: März.pdf", "計画 (2).pdf", "a\u0000b\nc", "../../etc/passwd", "😀".repeat(300)])(
    "the name of %j has only characters that the API takes",
    (filename) => {
      for (const name of namesOf([filename, filename])) expect(name).toMatch(/^(?!.* {2})[A-Za-z0-9\-()[\] ]{1,200}$/);
    },
  );
});

describe("marks of what is cached", () => {
  test("a mark follows the block of its part", () => {
    const blocks = toBlocks([text("Rules", MARK), text("Hello")]);
    expect(blocks).toEqual([{ text: "Rules" }, CACHE_POINT, { text: "Hello" }]);
  });

  test("a mark keeps how long the cache lives", () => {
    const marked = { cache_control: { type: "ephemeral", ttl: "1h" } };
    expect(toCachePoint(marked, createContext())).toEqual([{ cachePoint: { type: "default", ttl: "1h" } }]);
  });

  test("a blank part has no mark", () => {
    expect(toBlocks([text(" ", MARK)])).toEqual([]);
  });

  test("models that take no marks get none", () => {
    const context = createContext(false);
    expect(toBlocks([text("Rules", MARK)], context)).toEqual([{ text: "Rules" }]);
    expect(toToolResult({ tool_call_id: "t1", content: "Sun", ...MARK }, context)).toHaveLength(1);
  });
});

describe("the result of a tool", () => {
  const resultOf = (message: Fields) => toToolResult({ tool_call_id: "t1", ...message }, createContext());
  const result = (...content: Fields[]) => ({ toolResult: { toolUseId: "t1", content } });

  test.each([
    ["a text", "Sun", [{ text: "Sun" }]],
    ["a text and a picture", [text("A map"), picture(PNG)], [{ text: "A map" }, { image: expect.anything() }]],
    ["no content", null, []],
    ["blank parts", [text(" ")], []],
  ])("%s is sent in a block of its own", (_what, content, blocks) => {
    expect(resultOf({ content })).toEqual([result(...blocks)]);
  });

  test.each([
    ["of the message", { content: [text("Sun")], ...MARK }],
    ["of its first part", { content: [text("Sun", MARK)] }],
    ["of the message and of its part", { content: [text("Sun", MARK)], ...MARK }],
  ])("the mark %s follows the result once, outside of it", (_where, message) => {
    expect(resultOf(message)).toEqual([result({ text: "Sun" }), CACHE_POINT]);
  });

  test("a picture that the API does not take refuses the request", () => {
    expect(() => resultOf({ content: [picture("data:image/tiff;base64,SUkq")] })).toThrow(
      "takes no pictures of this type",
    );
  });
});

describe("the id of a call", () => {
  test.each([
    ["letters, digits, underscores and hyphens stay", "tooluse_A-1", "tooluse_A-1"],
    ["other characters become underscores", "call:1.é", "call_1__"],
    ["of a long id the end stays", `${"a".repeat(40)}${"b".repeat(60)}`, `aaaa${"b".repeat(60)}`],
  ])("%s", (_what, id, expected) => {
    expect(toToolUseId(id)).toBe(expected);
  });

  test("a call and its result have the same id", () => {
    const id = "call:42";
    const [block] = toToolResult({ tool_call_id: id, content: "Sun" }, createContext());
    expect(block).toMatchObject({ toolResult: { toolUseId: toToolUseId(id) } });
  });
});
