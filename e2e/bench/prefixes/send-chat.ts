import { Agent, request } from "undici";
import { COMPLETIONS_PATH } from "../environment.ts";
import { type Message, MODEL } from "./workload.ts";

const agent = new Agent({ connections: 256 });

/** Sends a chat and reads its whole answer. Resolves with the milliseconds until its first token. */
export async function sendChat(
  baseUrl: string,
  messages: readonly Message[],
  headers: Record<string, string> = {},
): Promise<number> {
  const startMark = performance.now();
  const { statusCode, body } = await request(baseUrl + COMPLETIONS_PATH, {
    method: "POST",
    dispatcher: agent,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL, messages, stream: true }),
  });
  let firstTokenMs = Number.NaN;
  let text = "";
  for await (const part of body) {
    text += part;
    if (Number.isNaN(firstTokenMs) && text.includes('"content":"word')) firstTokenMs = performance.now() - startMark;
  }
  if (statusCode !== 200 || !text.includes("[DONE]")) throw new Error(`A chat ended with ${statusCode}: ${text}`);
  return firstTokenMs;
}
