import parseCard from "../hosting/hub/card-parser.ts";
import type { ReadCard } from "../hosting/hub/index.ts";

/** Reads model cards in the thread of the test. */
export const readCardInThread: ReadCard = async (card) => parseCard(card);
