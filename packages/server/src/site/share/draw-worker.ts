/** Draws pictures beside the server, so that requests never wait for one. */
import { parentPort } from "node:worker_threads";
import { drawCard } from "./draw-card.ts";
import type { ShareCard } from "./share-card.ts";

export type Order = { card: ShareCard; productName: string };
export type Drawn = { png: Uint8Array } | { fault: string };

parentPort?.on("message", async ({ card, productName }: Order) => {
  let drawn: Drawn;
  try {
    drawn = { png: await drawCard(card, productName) };
  } catch (error) {
    drawn = { fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(drawn);
});
