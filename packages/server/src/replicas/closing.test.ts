import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { openReplicaListener } from "./replica-listener.ts";

test("a connection on which no request was sent does not keep the listener open", async () => {
  const listener = await openReplicaListener({ host: "127.0.0.1", port: 0 });
  const socket = connect(listener.port, "127.0.0.1");
  await once(socket, "connect");
  const ended = once(socket, "close");
  socket.resume();
  await listener.close(new AbortController().signal);
  await ended;
  expect(socket.destroyed).toBe(true);
});
