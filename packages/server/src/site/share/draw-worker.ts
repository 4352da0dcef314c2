/** Worker thread that renders share images, so that rendering does not block requests. */
import { parentPort } from "node:worker_threads";
import { drawCard } from "./draw-card.ts";
import type { ShareCard } from "./share-card.ts";

/** Message to the worker: the card to render. */
export type RenderRequest = { card: ShareCard; productName: string };
/** Message from the worker: the image, or an error message. */
export type RenderResponse = { png: Uint8Array } | { fault: string };

parentPort?.on("message", async ({ card, productName }: RenderRequest) => {
  let response: RenderResponse;
  try {
    response = { png: await drawCard(card, productName) };
  } catch (error) {
    response = { fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(response);
});
