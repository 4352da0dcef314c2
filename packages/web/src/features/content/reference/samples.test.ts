import { describe, expect, test } from "vitest";
import { createSamples } from "./samples.ts";
import type { OperationWithPath, SecurityRequirement } from "./types.ts";

const ORIGIN = "https://models.example";
const at = (method: string, path: string, operation: Partial<OperationWithPath["operation"]>): OperationWithPath => ({
  method,
  path,
  operation: { operationId: "apiKeys.update", tags: ["x"], summary: "x", responses: {}, ...operation },
});
const json = (value: unknown) => ({ content: { "application/json": { examples: { typical: { value } } } } });
const sample = (placed: OperationWithPath, name: string) =>
  createSamples(placed, {}, ORIGIN).find((candidate) => candidate.name === name)?.code;

const UPDATE = at("PUT", "/api-keys/{id}", {
  security: [{ session: [] }, { bearer: ["user.write"] }],
  parameters: [{ name: "id", in: "path", required: true, example: "key_1" }],
  requestBody: json({ name: "Maria's", disabled: false, tags: [], at: null }),
});

describe("samples of a call with path and body", () => {
  test("samples of a call with path and body are quoted for the shell in curl", () => {
    expect(sample(UPDATE, "curl")).toBe(`curl -X PUT ${ORIGIN}/api/api-keys/key_1 \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{
  "name": "Maria'\\''s",
  "disabled": false,
  "tags": [],
  "at": null
}'`);
  });
  test("samples of a call with path and body pass the path values before the body in the SDK", () => {
    expect(sample(UPDATE, "TypeScript")).toContain('await feather.apiKeys.update("key_1", {\n  name: "Maria\'s",');
  });
  test("samples of a call with path and body use True and None in Python", () => {
    expect(sample(UPDATE, "Python")).toContain('requests.put(\n    "https://models.example/api/api-keys/key_1",');
    expect(sample(UPDATE, "Python")).toContain('"disabled": False,\n        "tags": [],\n        "at": None,');
  });
  test("samples of a call with path and body use feather api in the CLI", () => {
    expect(sample(UPDATE, "CLI")).toContain("feather api PUT /api-keys/key_1 \\\n  -d '{");
  });
});

describe("samples of a call with a file", () => {
  const value = { file: "my film.mp3", model: "a/b" };
  const call = at("POST", "/v1/audio/transcriptions", {
    operationId: "audio.transcriptions.create",
    requestBody: { content: { "multipart/form-data": { examples: { typical: { value } } } } },
    security: [{ bearer: [] }],
  });
  test.each([
    ["curl", "-F file=@'my film.mp3' \\\n  -F model=a/b"],
    ["TypeScript", '  file: new File([await openAsBlob("my film.mp3")], "my film.mp3"),\n  model: "a/b"'],
    ["Python", 'files={"file": open("my film.mp3", "rb")},\n    data={\n        "model": "a/b",'],
  ])("samples of a call with a file send it in %s", (name, part) => expect(sample(call, name)).toContain(part));
  test("samples of a call with a file leave out the CLI", () => expect(sample(call, "CLI")).toBeUndefined());
});

test("calls of /v1 have no /api prefix", () => {
  const chat = at("POST", "/v1/chat/completions", { requestBody: json({ model: "a/b" }), security: [{ bearer: [] }] });
  expect(sample(chat, "curl")).toContain(`curl ${ORIGIN}/v1/chat/completions \\`);
});

test("ids keep their slash in addresses", () => {
  const model = at("GET", "/v1/models/{id}", { parameters: [{ name: "id", in: "path", example: "Qwen/Qwen3 32B" }] });
  expect(sample(model, "curl")).toBe(`curl ${ORIGIN}/v1/models/Qwen/Qwen3%2032B`);
});

test("required query parameters are included and quoted", () => {
  const list = at("GET", "/x", { parameters: [{ name: "q", in: "query", required: true, example: "a b" }] });
  expect(sample(list, "curl")).toBe(`curl "${ORIGIN}/api/x?q=a+b"`);
  expect(sample(list, "CLI")).toBe("feather api GET /x -f q='a b'");
});

test.each<[SecurityRequirement[], string, string]>([
  [[], "", "no credential"],
  [[{ session: [] }], "-b cookies.txt", "a cookie"],
  [[{}, { client: [] }], '-u "$CLIENT_ID:$CLIENT_SECRET"', "an application's secret"],
])("security %j sends %s", (security, expectedText) => {
  const code = sample(at("GET", "/x", { security }), "curl") ?? "";
  expect(code.includes("authorization")).toBe(false);
  expect(code).toContain(expectedText);
});

test("form bodies are sent as forms, and have no CLI sample", () => {
  const form = at("POST", "/oauth/token", {
    security: [{}, { client: [] }],
    requestBody: { content: { "application/x-www-form-urlencoded": { examples: { a: { value: { code: "x y" } } } } } },
  });
  expect(sample(form, "curl")).toContain("--data-urlencode 'code=x y'");
  expect(sample(form, "Python")).toContain("data={");
  expect(sample(form, "CLI")).toBeUndefined();
});
