import { sendJson } from "@feather/testing/http-server";
import { afterEach, expect, test, vi } from "vitest";
import { createFeather } from "./client.ts";
import type { FeatherOptions } from "./options.ts";
import { startTestClient } from "./testing/client.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test.each<[string, FeatherOptions, object, string]>([
  ["this machine when nothing is said", {}, {}, "http://localhost:4000/api/v1"],
  ["the environment's", {}, { FEATHER_BASE_URL: "https://env.example" }, "https://env.example/api/v1"],
  [
    "the option's",
    { baseUrl: "https://a.example" },
    { FEATHER_BASE_URL: "https://env.example" },
    "https://a.example/api/v1",
  ],
  [
    "the environment's when the option is undefined",
    { baseUrl: undefined },
    { FEATHER_BASE_URL: "https://env.example//" },
    "https://env.example/api/v1",
  ],
  ...["/v1", "/v1/", "/api/v1", "/api/v1/", "/api/"].map((end): [string, FeatherOptions, object, string] => [
    `the platform's for an address that ends in ${end}`,
    { baseUrl: `https://a.example${end}` },
    {},
    "https://a.example/api/v1",
  ]),
  ["this machine when the variable is empty", {}, { FEATHER_BASE_URL: "" }, "http://localhost:4000/api/v1"],
])("the URL is %s", (_, options, variables, address) => {
  for (const [name, value] of Object.entries({ FEATHER_BASE_URL: "", ...variables })) vi.stubEnv(name, value);
  expect(createFeather(options).openai.baseURL).toBe(address);
});

test("in a browser the base URL defaults to the page's origin, also for paths", () => {
  vi.stubEnv("FEATHER_BASE_URL", "");
  vi.stubGlobal("location", { origin: "https://page.example" });
  expect(createFeather().openai.baseURL).toBe("https://page.example/api/v1");
  expect(createFeather({ baseUrl: "/" }).openai.baseURL).toBe("https://page.example/api/v1");
  expect(createFeather({ baseUrl: "/feather" }).openai.baseURL).toBe("https://page.example/feather/api/v1");
});

test.each<[string, FeatherOptions, string | undefined]>([
  ["the environment's key when nothing is said", {}, "Bearer rc_env"],
  ["the environment's key when the option is undefined", { apiKey: undefined }, "Bearer rc_env"],
  ["the option's key", { apiKey: "rc_option" }, "Bearer rc_option"],
  ["the token, not the environment's key", { token: "oat_1" }, "Bearer oat_1"],
  ["the key, not the token", { apiKey: "rc_option", token: "oat_1" }, "Bearer rc_option"],
  ["nothing when cookies are", { credentials: "same-origin" }, undefined],
  ["nothing when the key is null", { apiKey: null }, undefined],
  ["nothing when the token is empty", { token: () => "" }, undefined],
])("the credential sent is %s", async (_, options, sent) => {
  vi.stubEnv("FEATHER_API_KEY", "rc_env");
  using server = await startTestClient((_request, response) => sendJson(response, 200, {}), {
    apiKey: undefined,
    ...options,
  });
  await server.feather.models.stats();
  expect(server.requests[0]?.headers.authorization).toBe(sent);
});

test("an API key in a browser throws unless it is allowed", () => {
  vi.stubGlobal("window", { document: {} });
  expect(() => createFeather({ apiKey: "rc_1" })).toThrow(/read by everybody/);
  expect(() => createFeather({ apiKey: "rc_1", dangerouslyAllowBrowser: true })).not.toThrow();
  expect(() => createFeather({ token: "oat_1" })).not.toThrow();
});

test("headers of the client are sent with every request, and a call can add, replace or remove them", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, {}), {
    headers: { "x-title": "Roost", "x-a": "1" },
  });
  await server.feather.models.stats();
  await server.feather.models.stats({
    headers: { "x-title": null, "x-a": "2", "x-b": undefined, authorization: null },
  });
  await server.feather.GET("/feather/stats");
  const titles = server.requests.map(({ headers }) => [
    headers["x-title"],
    headers["x-a"],
    headers["x-b"],
    headers.authorization,
  ]);
  expect(titles).toEqual([
    ["Roost", "1", undefined, "Bearer rc_secret"],
    [undefined, "2", undefined, undefined],
    ["Roost", "1", undefined, "Bearer rc_secret"],
  ]);
});

test.each(["localhost:4000", "feather.example", "ftp://feather.example", "//feather.example", "/feather"])(
  "the base URL %s without a protocol of the web throws where the client is made",
  (baseUrl) => {
    expect(() => createFeather({ baseUrl })).toThrow(`The base URL ${baseUrl} has no http:// or https://.`);
  },
);

test("a variable without a protocol throws where the client is made", () => {
  vi.stubEnv("FEATHER_BASE_URL", "feather.example:4000");
  expect(() => createFeather()).toThrow("The base URL feather.example:4000 has no http:// or https://.");
});

test.each(["null", "file://", "chrome-extension://abc"])(
  "the base URL is this machine in a page of the origin %s, which is no platform",
  (origin) => {
    vi.stubEnv("FEATHER_BASE_URL", "");
    vi.stubGlobal("location", { origin });
    expect(createFeather().openai.baseURL).toBe("http://localhost:4000/api/v1");
  },
);

test("a client of a platform below a path sends its calls there", async () => {
  using server = await startTestClient((_, response) => sendJson(response, 200, {}));
  for (const end of ["/models", "/models/", "/models/api", "/models/api/v1//"])
    await createFeather({ baseUrl: `${server.url}${end}`, apiKey: null }).models.stats();
  expect(new Set(server.requests.map(({ url }) => url))).toEqual(new Set(["/models/api/feather/stats"]));
});

test.each<[string, FeatherOptions]>([
  ["a key", { apiKey: "rc_1" }],
  ["no key", { apiKey: null }],
  ["a token", { token: "oat_1" }],
  ["cookies", { credentials: "include" }],
])("a client that is given its URL and %s reads no environment, for which Deno asks permission", (_, options) => {
  const read = vi.fn();
  vi.stubGlobal("process", { env: new Proxy({}, { get: (_target, name) => read(name) }) });
  createFeather({ baseUrl: "https://a.example", ...options });
  vi.unstubAllGlobals();
  expect(read).not.toHaveBeenCalled();
});

test("clients do without a process, as in browsers and edge runtimes", () => {
  vi.stubGlobal("process", undefined);
  const { openai } = createFeather();
  vi.unstubAllGlobals();
  expect(openai).toEqual({ baseURL: "http://localhost:4000/api/v1", apiKey: "" });
});

test("a global fetch that is replaced after the client was made is used, as mock servers need", async () => {
  const feather = createFeather({ baseUrl: "http://x", apiKey: null });
  vi.stubGlobal("fetch", async () => Response.json({ model_count: 7 }));
  expect((await feather.models.stats()).model_count).toBe(7);
});
