/**
 * A client connection that does as little as possible, so that load from one core is enough for a gateway on another:
 * it sends bytes made before, and looks only for the status and the end of an answer.
 */
import { connect, type Socket } from "node:net";
import type { Target } from "./load.ts";

/** A kept-alive connection for one request at a time. */
export type HttpConnection = {
  /** Sends the request and resolves with the answer's status once its body has arrived. */
  send(): Promise<number>;
  close(): void;
};

type Pending = { resolve(status: number): void; reject(error: Error): void };

const STATUS_START = "HTTP/1.1 ".length;
const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = "0\r\n\r\n";

/** Returns the bytes of a POST of JSON. */
export function encodeRequest({ url, headers }: Target, body: string): Buffer {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({
    host,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Opens a connection that sends the same request again and again. Rejects if no server listens. */
export async function openConnection(url: string, request: Buffer): Promise<HttpConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay();
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let pending: Pending | undefined;
  const settle = (status: number) => {
    const { resolve } = pending ?? {};
    pending = undefined;
    resolve?.(status);
  };
  const fail = () => pending?.reject(new Error(`${url} closed a connection before the end of its answer.`));
  readAnswers(socket, settle);
  socket.on("close", fail).on("error", fail);
  return {
    send: () =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Calls back with the status of each answer when it is complete. */
function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let head = "";
  let status = 0;
  /** Bytes of the body still to come; undefined for a body in chunks. */
  let rest: number | undefined;
  let tail = "";
  socket.on("data", (data: Buffer) => {
    let body = data;
    if (status === 0) {
      head += data.toString("latin1");
      const headEnd = head.indexOf(HEAD_END);
      if (headEnd < 0) return;
      status = Number(head.slice(STATUS_START, STATUS_START + 3));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, headEnd))?.[1];
      rest = length === undefined ? undefined : Number(length);
      body = Buffer.from(head.slice(headEnd + HEAD_END.length), "latin1");
    }
    if (rest === undefined) tail = (tail + body.toString("latin1", Math.max(0, body.length - 5))).slice(-5);
    else rest -= body.length;
    if (rest === undefined ? tail !== LAST_CHUNK : rest > 0) return;
    const answered = status;
    head = "";
    status = 0;
    tail = "";
    onAnswer(answered);
  });
}
