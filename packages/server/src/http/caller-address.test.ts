import type { IncomingHttpHeaders } from "node:http";
import Fastify from "fastify";
import inject from "light-my-request";
import { expect, test } from "vitest";
import { createCallerAddress } from "./caller-address.ts";

type Case = [string, { trusted?: string[]; peer: string; headers?: IncomingHttpHeaders }, [string, string]];

const CASES: Case[] = [
  ["without a proxy is that of the connection", { peer: "203.0.113.9" }, ["203.0.113.9", "http"]],
  [
    "is that of the connection for a proxy that is not trusted",
    { peer: "203.0.113.9", headers: { "x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "https" } },
    ["203.0.113.9", "http"],
  ],
  [
    "is what a trusted proxy says",
    {
      trusted: ["203.0.113.0/24"],
      peer: "203.0.113.9",
      headers: { "x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "https" },
    },
    ["198.51.100.1", "https"],
  ],
  [
    "is the last one that no trusted proxy has, of several",
    {
      trusted: ["loopback", "203.0.113.9"],
      peer: "127.0.0.1",
      headers: { "x-forwarded-for": "10.0.0.1, 198.51.100.1, 203.0.113.9", "x-forwarded-proto": "https, http" },
    },
    ["198.51.100.1", "http"],
  ],
];

test.each(CASES)("the address of a caller %s, as Fastify reads it", async (_what, given, expected) => {
  const { trusted, peer, headers = {} } = given;
  const { addressOf, protocolOf } = createCallerAddress(trusted);
  const own = await inject(
    (request, response) => void response.end(JSON.stringify([addressOf(request), protocolOf(request)])),
    { url: "/", headers, remoteAddress: peer },
  );
  expect(own.json()).toEqual(expected);

  const app = Fastify({ trustProxy: trusted ?? false });
  app.get("/", async ({ ip, protocol }) => [ip, protocol]);
  const answer = await app.inject({ url: "/", headers, remoteAddress: peer });
  expect(answer.json()).toEqual(expected);
});
