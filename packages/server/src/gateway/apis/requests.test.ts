import { describe, expect, test } from "vitest";
import type { CallBody } from "../formats/parsed-request.ts";
import type { ApiName } from "./api.ts";
import { APIS } from "./apis.ts";

const USER = { role: "user", content: "Hello" };
const PICTURE = { type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } };
const TOOL = { type: "function", function: { name: "f", description: "does", parameters: { type: "object" } } };
const CALL = { id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } };

type Sent = { path: string; body: Record<string, unknown> };

function toRequest(api: ApiName, fields: Partial<CallBody>, kind: "chat" | "completion" | "embedding" = "chat"): Sent {
  const body = { model: "m", ...(kind === "chat" && { messages: [USER] }), ...fields };
  return APIS[api].toRequest({ kind, body, carried: undefined, maxAnswerTokens: null }) as Sent;
}

describe("a request to Anthropic's API", () => {
  const body = (fields: Partial<CallBody>) => toRequest("anthropic", fields).body;

  test.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    [
      { type: "function", function: { name: "f" } },
      { type: "tool", name: "f" },
    ],
    [undefined, undefined],
  ])("chooses tools as the call does: %o", (tool_choice, expected) => {
    expect(body({ tools: [TOOL], tool_choice }).tool_choice).toEqual(expected);
  });

  test.each([
    ["auto", { type: "auto", disable_parallel_tool_use: true }],
    ["none", { type: "none" }],
    [undefined, { type: "auto", disable_parallel_tool_use: true }],
  ])("asks for one call at a time where the call does, with the choice %s", (tool_choice, expected) => {
    expect(body({ tools: [TOOL], tool_choice, parallel_tool_calls: false }).tool_choice).toEqual(expected);
  });

  test("has no texts without a word, which the API refuses", () => {
    const content = [
      { type: "text", text: " \n" },
      { type: "text", text: "Hello" },
    ];
    const messages = [
      { role: "user", content },
      { role: "assistant", content: "\n", tool_calls: [CALL] },
    ];
    expect(body({ messages }).messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Hello" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "f", input: { a: 1 } }] },
    ]);
  });

  test("has no fields about tools without tools", () => {
    expect(body({ tool_choice: "auto" })).not.toHaveProperty("tool_choice");
  });

  test.each([
    ["none", { thinking: { type: "disabled" } }],
    ["high", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }],
    ["minimal", { thinking: { type: "adaptive" }, output_config: { effort: "low" } }],
  ])("thinks with the effort %s", (reasoning_effort, expected) => {
    expect(body({ reasoning_effort })).toMatchObject(expected);
  });

  test.each([
    [true, { type: "adaptive" }],
    [false, { type: "disabled" }],
    [undefined, undefined],
  ])("thinks as the switch of the template says: %s", (enable_thinking, expected) => {
    expect(body({ chat_template_kwargs: { enable_thinking } }).thinking).toEqual(expected);
  });

  test("leaves out empty texts, which the API refuses, and turns without content", () => {
    const parts = [
      { type: "text", text: "" },
      { type: "text", text: "Look" },
    ];
    const messages = [
      { role: "user", content: parts },
      { role: "assistant", content: "" },
      { role: "user", content: "here" },
    ];
    expect(body({ messages }).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "text", text: "here" },
        ],
      },
    ]);
  });

  test("has pictures as data or by address, documents, and pictures in results of tools", () => {
    const byAddress = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    const file = { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBER" } };
    const messages = [
      { role: "user", content: [PICTURE, byAddress, file] },
      { role: "assistant", content: null, tool_calls: [CALL] },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "See" }, PICTURE] },
    ];
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBOR" } };
    expect(body({ messages }).messages).toEqual([
      {
        role: "user",
        content: [
          picture,
          { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "JVBER" },
            title: "a.pdf",
          },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "f", input: { a: 1 } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "See" }, picture] }],
      },
    ]);
  });

  test.each([
    ["sound", { type: "input_audio", input_audio: { data: "UklGR", format: "wav" } }],
    ["videos", { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } }],
  ])("refuses %s", (media, part) => {
    expect(() => body({ messages: [{ role: "user", content: [part] }] })).toThrow(`takes no ${media}`);
  });

  test("has the limit of the call, of the model, or one that every model can write", () => {
    const limitOf = (max_tokens: number | null, maxAnswerTokens: number | null) => {
      const call = { kind: "chat" as const, body: { model: "m", messages: [USER], max_tokens }, carried: undefined };
      return (APIS.anthropic.toRequest({ ...call, maxAnswerTokens }) as Sent).body.max_tokens;
    };
    expect([limitOf(5, 64_000), limitOf(null, 64_000), limitOf(null, null)]).toEqual([5, 64_000, 8192]);
  });
});

describe("a request to Google's API", () => {
  const body = (fields: Partial<CallBody>) => toRequest("gemini", fields).body;

  test.each([
    ["auto", { mode: "AUTO" }],
    ["none", { mode: "NONE" }],
    ["required", { mode: "ANY" }],
    [
      { type: "function", function: { name: "f" } },
      { mode: "ANY", allowedFunctionNames: ["f"] },
    ],
  ])("chooses tools as the call does: %o", (tool_choice, functionCallingConfig) => {
    expect(body({ tools: [TOOL], tool_choice }).toolConfig).toEqual({ functionCallingConfig });
  });

  test("has the pictures of a tool's result behind the result", () => {
    const messages = [
      USER,
      { role: "assistant", content: null, tool_calls: [CALL] },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "See" }, PICTURE] },
    ];
    expect((body({ model: "gemini-2.5-x", messages }).contents as unknown[]).slice(1)).toEqual([
      { role: "model", parts: [{ functionCall: { id: "c1", name: "f", args: { a: 1 } } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "f", response: { result: "See" } } },
          { inlineData: { mimeType: "image/png", data: "iVBOR" } },
        ],
      },
    ]);
  });

  test("refuses media by address", () => {
    const part = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    expect(() => body({ messages: [{ role: "user", content: [part] }] })).toThrow("takes no media by address");
  });

  test("names the model in the path, whatever characters it has", () => {
    expect(toRequest("gemini", { model: "a b/c" }).path).toBe("/models/a%20b%2Fc:generateContent");
    expect(toRequest("gemini", { stream: true }).path).toBe("/models/m:streamGenerateContent?alt=sse");
    expect(toRequest("gemini", { input: "x", dimensions: 8 }, "embedding")).toEqual({
      path: "/models/m:batchEmbedContents",
      body: { requests: [{ model: "models/m", content: { parts: [{ text: "x" }] }, outputDimensionality: 8 }] },
    });
  });
});

test.each(["anthropic", "gemini"] as const)("a text completion is a chat of one message at %s", (api) => {
  const { body } = toRequest(api, { prompt: ["Once"] }, "completion");
  expect(JSON.stringify(body)).toContain('[{"role":"user",');
  expect(JSON.stringify(body)).toContain('"text":"Once"');
});
