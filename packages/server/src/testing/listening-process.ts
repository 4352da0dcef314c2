import { once } from "node:events";
import type { Server } from "node:net";
import Fastify from "fastify";
import { listenTogether } from "../start/listen.ts";

/** A process that answers its id to requests that come to the listener of the process that started it. */
const app = Fastify();
app.get("/", () => process.pid);
await listenTogether(app, async () => {
  process.send?.("listens");
  const [, listener] = (await once(process, "message")) as [string, Server];
  return listener;
});
