import parseCard from "../modules/hub/card-parser.ts";
import type { ReadCard } from "../modules/hub/index.ts";

/** Reads model cards in the thread of the test. */
export const readCardInThread: ReadCard = async (card) => parseCard(card);
