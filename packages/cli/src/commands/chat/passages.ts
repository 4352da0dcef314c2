import type { Feather } from "@feather/sdk";
import { citedNumbers, passageSource, type QuotablePassage, withPassages } from "@feather/sdk/collections";
import type { Message } from "../../chat/answer.ts";
import type { Context } from "../../context.ts";
import { findCollection } from "../collections/collection.ts";

/** The most characters of a question by which a search finds passages. */
const MAX_QUERY_LENGTH = 4_000;

/** The passages that go with a question, and what the search reports to the person. */
export type Found = { readonly hits: readonly QuotablePassage[]; readonly problems: readonly string[] };

/** Finds the passages of collections that are nearest to a question. */
export async function findPassages(
  client: Feather,
  { signal }: Pick<Context, "signal">,
  names: readonly string[],
  question: string,
): Promise<Found> {
  const ids: string[] = [];
  for (const name of names) ids.push((await findCollection(client, name, signal)).id);
  const query = toQuery(question);
  const request = { collection_ids: [...new Set(ids)], query };
  const { items, problems } = await client.collections.search(request, { signal });
  return { hits: items, problems };
}

/** Returns the part of a question by which passages are found. */
export const toQuery = (question: string): string => question.slice(0, MAX_QUERY_LENGTH).toWellFormed();

/** Returns a message with numbered passages before its text. */
export const withQuotedPassages = (message: Message, hits: readonly QuotablePassage[]): Message => ({
  ...message,
  content: withPassages(message.content, hits),
});

/** Returns the lines that say what the numbers of an answer stand for, for those that it names. */
export const listSources = (answer: string, hits: readonly QuotablePassage[]): string[] =>
  citedNumbers(answer, hits.length).flatMap((number) => {
    const hit = hits[number - 1];
    return hit ? [`[${number}] ${passageSource(hit)}`] : [];
  });
