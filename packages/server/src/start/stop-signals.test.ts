import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { listenForStop, SAME_SIGNAL_MS } from "./stop-signals.ts";

function listen() {
  const process = new EventEmitter();
  let at = 50_000;
  const signals = listenForStop(process, () => at);
  return {
    ...signals,
    send(signal: "SIGINT" | "SIGTERM", afterMs = 0) {
      at += afterMs;
      process.emit(signal);
    },
    state: () => [signals.requested.aborted, signals.forced.aborted],
  };
}

test("a Ctrl-C that arrives several times requests a graceful stop only", () => {
  const { send, state } = listen();
  expect(state()).toEqual([false, false]);
  send("SIGINT");
  send("SIGINT", 1);
  send("SIGTERM", SAME_SIGNAL_MS - 1);
  expect(state()).toEqual([true, false]);
});

test("a second Ctrl-C after one second forces the stop", () => {
  const { send, state } = listen();
  send("SIGINT");
  send("SIGINT", SAME_SIGNAL_MS + 1);
  expect(state()).toEqual([true, true]);
});

test("a signal ends a server that has to start again, gracefully at first", () => {
  const { send, request, hasSignal, state } = listen();
  request();
  expect([state(), hasSignal()]).toEqual([[true, false], false]);
  send("SIGTERM", SAME_SIGNAL_MS + 1);
  expect([state(), hasSignal()]).toEqual([[true, false], true]);
  send("SIGTERM", SAME_SIGNAL_MS + 1);
  expect(state()).toEqual([true, true]);
});

test("signals are left alone once they are no longer listened for", () => {
  const { send, close, state } = listen();
  close();
  send("SIGTERM");
  expect(state()).toEqual([false, false]);
});
