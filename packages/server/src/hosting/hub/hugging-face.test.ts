import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServableRepository, type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AppError } from "../../platform/core/errors/index.ts";
import { readCardInThread } from "../../testing/read-card.ts";
import { createHub } from "./create-hub.ts";
import type { Hub } from "./hub.ts";

const BIG = "x".repeat(3000);
const TOKENS = { hf_mine: { user: "ada", reads: ["acme/gated", "acme/secret"] }, hf_other: { user: "bob" } };

let server: FakeHub;
let hub: Hub;
beforeAll(async () => {
  server = await startFakeHub(
    [
      createServableRepository("acme/open", { files: { "big.bin": BIG, "notes/a b.txt": "hello" } }),
      createServableRepository("acme/gated", { gated: true }),
      createServableRepository("acme/secret", { private: true }),
      { id: "acme/bare", files: { "model.gguf": { size: 2000 } } },
    ],
    TOKENS,
  );
  hub = at(server.baseUrl);
});
beforeEach(() => {
  server.state.failure = null;
  server.state.storeUrl = null;
});
afterAll(() => server.close());

const at = (url: string) => createHub({ dir: undefined, url }, [], readCardInThread);
const failure = async (work: Promise<unknown>) =>
  work.then(
    () => "none",
    ({ status, code }: AppError) => `${status} ${code}`,
  );
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

describe("facts of a model", () => {
  test("reads a model with its files and its card", async () => {
    const model = await hub.model("acme/open");
    expect(model).toMatchObject({
      id: "acme/open",
      gated: false,
      private: false,
      task: "text-generation",
      downloads: 4321,
      license: "apache-2.0",
      languages: ["en", "de"],
      baseModel: "Qwen/Qwen3-8B",
      parameters: { BF16: 8_190_735_360 },
    });
    expect(model.createdAt?.toISOString()).toBe("2026-09-03T10:20:30.000Z");
    expect(model.config).toMatchObject({ architectures: ["Qwen3ForCausalLM"] });
    expect(model.readme).toMatch(/^# acme\/open/);
  });

  test("lists the files of a model of all pages with the checksums of large ones", async () => {
    const { files } = await hub.model("acme/open");
    expect(files.map(({ path }) => path).sort()).toEqual([
      "README.md",
      "big.bin",
      "config.json",
      "model-00001-of-00002.safetensors",
      "model-00002-of-00002.safetensors",
      "notes/a b.txt",
    ]);
    expect(files.find(({ path }) => path === "big.bin")).toEqual({
      path: "big.bin",
      size: 3000,
      sha256: createHash("sha256").update(BIG).digest("hex"),
    });
    expect(files.find(({ path }) => path === "config.json")?.sha256).toBeNull();
  });

  test("returns the id of a model as the hub spells it", async () => {
    expect((await hub.model("ACME/Open")).id).toBe("acme/open");
  });

  test("reads a gated model without its files", async () => {
    expect(await hub.model("acme/gated")).toMatchObject({ gated: true, config: null, readme: null });
    expect(await hub.model("acme/gated", { token: "hf_mine" })).toMatchObject({
      gated: true,
      config: { architectures: ["Qwen3ForCausalLM"] },
    });
  });

  test("reads a private model only with a token that may", async () => {
    expect(await hub.model("acme/secret", { token: "hf_mine" })).toMatchObject({ private: true });
    expect(await failure(hub.model("acme/secret"))).toBe("404 hub.not_found");
    expect(await failure(hub.model("acme/secret", { token: "hf_other" }))).toBe("404 hub.not_found");
  });

  test("returns null for facts that the hub does not have", async () => {
    expect(await hub.model("acme/bare")).toMatchObject({
      config: null,
      readme: null,
      license: null,
      languages: [],
      parameters: null,
    });
  });

  test("reads the requested revision of a model", async () => {
    expect(await failure(hub.model("acme/open", { revision: "nowhere" }))).toBe("404 hub.not_found");
    expect((await hub.model("acme/open", { revision: "main" })).revision).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe("a file", () => {
  test("downloads a whole file of the hub with its size and checksum", async () => {
    const { body, ...file } = await hub.download("acme/open", "big.bin");
    expect(file).toMatchObject({ size: 3000, from: 0, sha256: createHash("sha256").update(BIG).digest("hex") });
    expect(await textOf(body)).toBe(BIG);
  });

  test("downloads a file of the hub from an offset", async () => {
    const { body, ...file } = await hub.download("acme/open", "big.bin", { from: 2900 });
    expect(file).toMatchObject({ size: 3000, from: 2900, to: 3000 });
    expect(await textOf(body)).toBe("x".repeat(100));
  });

  test("downloads a range of a file of the hub, with the ETag of the whole", async () => {
    const whole = await hub.download("acme/open", "big.bin");
    const { body, ...file } = await hub.download("acme/open", "big.bin", { from: 0, to: 10 });
    expect(file).toMatchObject({ size: 3000, from: 0, to: 10, etag: whole.etag });
    expect(await textOf(body)).toBe(BIG.slice(0, 10));
    await textOf(whole.body);
  });

  test("downloads files with any name", async () => {
    expect(await textOf((await hub.download("acme/open", "notes/a b.txt")).body)).toBe("hello");
  });

  test("throws hub.gated or hub.not_found for a file", async () => {
    expect(await failure(hub.download("acme/open", "nothing"))).toBe("404 hub.not_found");
    expect(await failure(hub.download("acme/gated", "config.json"))).toBe("403 hub.gated");
    expect(await failure(hub.download("acme/gated", "config.json", { token: "hf_other" }))).toBe("403 hub.gated");
  });

  test("rejects a redirect of the hub to a private address", async () => {
    const hits: string[] = [];
    const canary = createServer((request, response) => {
      hits.push(request.url ?? "");
      response.end("secret");
    });
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    const { port } = canary.address() as AddressInfo;
    for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.1", "0.0.0.0", "2130706433"]) {
      server.state.storeUrl = `http://${host}:${port}`;
      expect([host, await failure(hub.download("acme/open", "big.bin"))]).toEqual([
        host,
        "400 outgoing.address_refused",
      ]);
    }
    expect(hits).toEqual([]);
    await new Promise((resolve) => canary.close(resolve));
  });
});

describe("a token", () => {
  test("verifies a token against the repository and returns its user", async () => {
    expect(await hub.verifyAccess("acme/gated", "hf_mine")).toEqual({ user: "ada" });
    expect(await failure(hub.verifyAccess("acme/gated", "hf_other"))).toBe("403 hub.gated");
    for (const token of ["hf_wrong", "wrong", "hf_x\r\nx-evil: 1", "", "hf_ü"])
      expect([token, await failure(hub.verifyAccess("acme/gated", token))]).toEqual([token, "403 hub.token_refused"]);
    expect(await failure(hub.model("acme/open", { token: "wrong" }))).toBe("403 hub.token_refused");
    expect(await failure(hub.verifyAccess("acme/nothing", "hf_mine"))).toBe("404 hub.not_found");
  });
});

describe("a hub that fails", () => {
  test.each([
    ["is away", { status: 503 }, "503 hub.unavailable"],
    ["limits us", { status: 429 }, "503 hub.rate_limited"],
    ["breaks", { status: 500, body: "<html>" }, "503 hub.unavailable"],
    ["does not speak JSON", { status: 200, body: "<html>hello</html>" }, "502 hub.invalid_response"],
    ["says something else", { status: 200, body: "{}" }, "502 hub.invalid_response"],
    ["says nothing", { status: 200, body: "null" }, "502 hub.invalid_response"],
    ["refuses in a way nobody knows", { status: 418 }, "502 hub.invalid_response"],
    ["sends round in circles", { status: 302, headers: { location: "/api/models/acme/open" } }, "503 hub.unavailable"],
  ])("reports a hub that %s", async (_what, fault, expected) => {
    server.state.failure = fault;
    expect(await failure(hub.model("acme/open"))).toBe(expected);
  });

  test.each([
    ["seconds", { "retry-after": "17" }, "17"],
    ["a date", { "retry-after": "Sat, 21 Nov 2026 12:00:30 GMT", date: "Sat, 21 Nov 2026 12:00:00 GMT" }, "30"],
    ["too long a time", { "retry-after": "86400" }, "3600"],
    ["nothing that can be read", { "retry-after": "soon" }, "60"],
    ["nothing", {}, "60"],
  ])(
    "passes on for how long a hub that limits requests wants none when it says %s",
    async (_what, headers, seconds) => {
      server.state.failure = { status: 429, headers };
      const error = await hub.model("acme/open").catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "hub.rate_limited", headers: { "retry-after": seconds } });
    },
  );

  test("reports a hub that cannot be reached", async () => {
    expect(await failure(at("http://127.0.0.1:9").model("acme/open"))).toBe("503 hub.unavailable");
    expect(await failure(at("http://hub.invalid").model("acme/open"))).toBe("503 hub.unavailable");
  });

  test.each(["../admin", "a", "a/b/c", "a/..", "a/b?x=1", "a/b#x", "a/%2e%2e", "a\\b/c", "a/b\nc", ""])(
    "does not request %j from the hub",
    async (id) => {
      const before = server.requests.length;
      expect(await failure(hub.model(id))).toBe("404 hub.not_found");
      expect(await failure(hub.download(id, "config.json"))).toBe("404 hub.not_found");
      expect(await failure(hub.verifyAccess(id, "hf_mine"))).toBe("404 hub.not_found");
      expect(server.requests.length).toBe(before);
    },
  );
});
