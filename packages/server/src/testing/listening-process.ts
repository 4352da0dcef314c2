import { once } from "node:events";
import type { Server } from "node:net";
import Fastify from "fastify";
import { listenTogether } from "../start/listen.ts";

/** This process answers requests at the listener that its parent process passed to it, with its process id. */
const app = Fastify();
app.get("/", () => process.pid);
await listenTogether(app, async () => {
  process.send?.("listens");
  const [, listener] = (await once(process, "message")) as [string, Server];
  return listener;
});
