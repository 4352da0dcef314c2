import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PRIVATE_HOSTS, startCanary } from "../../../testing/private-addresses.ts";
import { AppError } from "../errors/index.ts";
import { createOutgoing, type OutgoingOptions } from "./outgoing.ts";

let canary: Awaited<ReturnType<typeof startCanary>>;
beforeAll(async () => {
  canary = await startCanary();
});
afterAll(() => canary.close());

const REFUSED = /^(outgoing\.address_refused|invalid_request)$/;
const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => "reached",
    (error: unknown) => (error instanceof AppError ? error.code : "not reached"),
  );

/** Allows a name. The test's resolver determines its addresses. */
function withNames(names: Record<string, string[][]>, options: OutgoingOptions = {}) {
  const requestedHosts: string[] = [];
  const outgoing = createOutgoing({
    ...options,
    resolve: async (hostname) => {
      const answers = names[hostname] ?? [[]];
      const answer =
        answers[Math.min(requestedHosts.filter((name) => name === hostname).length, answers.length - 1)] ?? [];
      requestedHosts.push(hostname);
      return answer.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  });
  return { outgoing, requestedHosts };
}

async function serve(handler: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

describe("addresses that are not public", () => {
  const outgoing = createOutgoing({ connectTimeoutMs: 500, idleTimeoutMs: 500 });
  afterAll(() => outgoing.close());

  test("addresses that are not public are tested in more than eighty forms", () =>
    expect(new Set(PRIVATE_HOSTS).size).toBeGreaterThan(80));

  test.each(PRIVATE_HOSTS)("addresses that are not public are refused: %s", async (host) => {
    for (const url of [`http://${host}:${canary.port}/x`, `https://${host}/`, `http://${host}:${canary.port}`])
      expect([url, await codeOf(outgoing.fetch(url))]).toEqual([url, expect.stringMatching(REFUSED)]);
    expect(canary.hits).toEqual([]);
  });

  test.each(PRIVATE_HOSTS)(
    "addresses that are not public are refused for other clients of the dispatcher: %s",
    async (host) => {
      const url = `http://${host}:${canary.port}/`;
      if (!URL.canParse(url)) return;
      const { request } = await import("undici");
      await expect(request(url, { dispatcher: outgoing.dispatcher })).rejects.toThrow();
      expect(canary.hits).toEqual([]);
    },
  );

  test.each([
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::1%251]/",
    "http://[::ffff:7f00:1%25lo]/",
  ])("addresses that are not public are refused with a zone: %s", async (url) =>
    expect(await codeOf(outgoing.fetch(url))).toMatch(REFUSED),
  );

  test.each([
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://127.0.0.1:70/_x",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "dict://127.0.0.1:11211/stat",
    "ws://example.com",
    "//127.0.0.1/",
    "/etc/passwd",
    "http:",
    "http://",
    "",
    "http://user:password@example.com/",
    "http://example.com@127.0.0.1/",
    "http://127.0.0.1#@example.com/",
    "http://127.0.0.1\\@example.com/",
    "http://[::1",
  ])("addresses that are not public are refused like invalid URLs: %s", async (url) => {
    expect(await codeOf(outgoing.fetch(url))).toMatch(REFUSED);
  });
});

describe("host names", () => {
  test("host names that resolve to any private address are refused", async () => {
    const { outgoing } = withNames({
      "inside.example": [["127.0.0.1"]],
      "both.example": [["93.184.215.14", "127.0.0.1"]],
      "both6.example": [["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::1"]],
      "mapped.example": [["::ffff:127.0.0.1"]],
      "cloud.example": [["169.254.169.254"]],
    });
    for (const name of ["inside", "both", "both6", "mapped", "cloud"])
      expect([name, await codeOf(outgoing.fetch(`http://${name}.example:${canary.port}/`))]).toEqual([
        name,
        "outgoing.address_refused",
      ]);
    expect(canary.hits).toEqual([]);
    await outgoing.close();
  });

  test("host names are resolved once per connection, so that DNS rebinding has no effect", async () => {
    const names = { "turning.example": [["192.0.2.1"], ["127.0.0.1"]] };
    const { outgoing, requestedHosts } = withNames(names, { allow: ["192.0.2.0/24"], connectTimeoutMs: 100 });
    const url = `http://turning.example:${canary.port}/`;
    expect(await codeOf(outgoing.fetch(url))).toBe("not reached"); // went to the first answer
    expect(requestedHosts).toEqual(["turning.example"]);
    for (let attempt = 0; attempt < 20; attempt++)
      expect(await codeOf(outgoing.fetch(url))).toBe("outgoing.address_refused");
    expect(canary.hits).toEqual([]);
    await outgoing.close();
  });

  test("host names are checked when stored and again when used", async () => {
    const { outgoing } = withNames({ "later.example": [["93.184.215.14"], ["127.0.0.1"]] });
    const url = `http://later.example:${canary.port}/`;
    expect((await outgoing.checkReachable(url)).hostname).toBe("later.example");
    expect(await codeOf(outgoing.fetch(url))).toBe("outgoing.address_refused");
    expect(canary.hits).toEqual([]);
    await outgoing.close();
  });

  test("host names without an address cannot be reached", async () => {
    const { outgoing } = withNames({});
    expect(await codeOf(outgoing.fetch("http://nowhere.example/"))).toBe("not reached");
    expect(await codeOf(outgoing.checkReachable("http://nowhere.example/"))).toBe("reached");
    await outgoing.close();
  });
});

describe("redirects", () => {
  const targets = (port: number) => [
    `http://127.0.0.1:${port}/secret`,
    `http://localhost:${port}/secret`,
    `http://[::1]:${port}/secret`,
    `http://[::ffff:7f00:1]:${port}/secret`,
    `http://2130706433:${port}/secret`,
    `//127.0.0.1:${port}/secret`,
    "file:///etc/passwd",
  ];

  test.each([301, 302, 303, 307, 308])(
    "redirects with status %i to a private address are not followed",
    async (status) => {
      for (const [index, location] of targets(canary.port).entries()) {
        const { port, server } = await serve((_request, response) => response.writeHead(status, { location }).end());
        const outgoing = createOutgoing({ allow: [`127.0.0.1:${port}`] });
        const url = `http://127.0.0.1:${port}/`;
        const plain = await outgoing.fetch(url);
        expect(plain.status).toBe(status);
        await plain.body?.cancel();
        expect([index, await codeOf(outgoing.fetch(url, { redirect: "follow" }))]).not.toEqual([index, "reached"]);
        await outgoing.close();
        server.closeAllConnections();
        server.close();
      }
      expect(canary.hits).toEqual([]);
    },
  );

  test("redirects in a chain of five are followed up to the one to a private address", async () => {
    const seen: string[] = [];
    const { port, server } = await serve((request, response) => {
      seen.push(request.url ?? "");
      const step = Number(request.url?.slice(1));
      const location = step < 5 ? `/${step + 1}` : `http://127.0.0.1:${canary.port}/secret`;
      response.writeHead(302, { location }).end();
    });
    const outgoing = createOutgoing({ allow: [`127.0.0.1:${port}`] });
    const url = `http://127.0.0.1:${port}/1`;
    expect(await codeOf(outgoing.fetch(url, { redirect: "follow" }))).toBe("outgoing.address_refused");
    expect(seen).toEqual(["/1", "/2", "/3", "/4", "/5"]);
    expect(canary.hits).toEqual([]);
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });

  test("redirects in the body of a response are not followed", async () => {
    const body = `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${canary.port}/secret">`;
    const { port, server } = await serve((_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html", refresh: `0; url=http://127.0.0.1:${canary.port}/` })
        .end(body),
    );
    const outgoing = createOutgoing({ allow: [`127.0.0.1:${port}`] });
    expect(await (await outgoing.fetch(`http://127.0.0.1:${port}/`, { redirect: "follow" })).text()).toBe(body);
    expect(canary.hits).toEqual([]);
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });
});

describe("hosts that the operator allows", () => {
  test.each([
    ["an address", "127.0.0.1"],
    ["a network", "127.0.0.0/8"],
    ["an address with its port", "127.0.0.1:PORT"],
  ])("hosts that the operator allows can be reached: %s", async (_what, entry) => {
    const { port, server } = await serve((_request, response) => response.end("hello"));
    const outgoing = createOutgoing({ allow: [entry.replace("PORT", String(port))] });
    expect(await (await outgoing.fetch(`http://127.0.0.1:${port}/`)).text()).toBe("hello");
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });

  test("hosts that the operator allows can be reached by name, and others cannot", async () => {
    const { port, server } = await serve((_request, response) => response.end("hello"));
    const names = { "inside.example": [["127.0.0.1"]], "other.example": [["127.0.0.1"]] };
    const { outgoing } = withNames(names, { allow: ["inside.example"] });
    expect(await (await outgoing.fetch(`http://INSIDE.example:${port}/`)).text()).toBe("hello");
    expect(await codeOf(outgoing.fetch(`http://other.example:${port}/`))).toBe("outgoing.address_refused");
    expect(await codeOf(outgoing.fetch(`http://127.0.0.1:${port}/`))).toBe("outgoing.address_refused");
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });

  test("hosts that the operator allows with a port can be reached at that port only", async () => {
    const outgoing = createOutgoing({ allow: ["127.0.0.1:1"] });
    expect(await codeOf(outgoing.fetch(`http://127.0.0.1:${canary.port}/`))).toBe("outgoing.address_refused");
    expect(canary.hits).toEqual([]);
    await outgoing.close();
  });
});
