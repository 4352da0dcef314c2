import { type Feather, isNotFound } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { type FilePart, joinPrompt } from "./files.ts";
import { type Found, toQuery } from "./passages.ts";

const CHARACTERS_PER_TOKEN = 4;
/** Characters from here on, which are mostly Chinese, Japanese and Korean, take a token each. */
const WIDE = /[\u2e80-\uffff]/g;
/** The share of the model's context that texts may fill, so that the question and the answer have room. */
const TEXT_SHARE = 0.6;
/** Texts of fewer tokens fit into the context of every model, so the model is not looked up. */
const SHORT_TOKENS = 1_000;
const MAX_SEARCHED_FILES = 8;
const MAX_PASSAGES = 12;
/** About how many tokens a passage has with its name. */
const PASSAGE_TOKENS = 330;
/** Longer than the server takes for the vectors of a long text. */
const TIMEOUT_MS = 90_000;
/** Characters that cannot be seen, which the server refuses in names. */
const HIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/** A prompt, and the passages of its long texts that go with it. */
type SearchedPrompt = Found & { readonly prompt: string };

/**
 * Returns the tokens that the caller may send to a model by their plan; null where they are not known, as those of a name that
 * stands for several models.
 */
async function findContext(client: Feather, model: string, signal: AbortSignal): Promise<number | null> {
  try {
    const { access, context_length } = await client.models.get(model, {}, { signal });
    return access?.effective_context_length ?? context_length;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/**
 * Returns the prompt with its texts. Those that are too long for the model are only named: the passages that go with the question are found by
 * the server and returned. All texts go whole where there is no question, or the model's context is not known. Throws `UsageError` for more
 * long texts than are searched.
 */
export async function searchLongFiles(
  client: Feather,
  { signal, output }: Pick<Context, "signal" | "output">,
  model: string,
  { parts, question }: { parts: readonly FilePart[]; question: string },
): Promise<SearchedPrompt> {
  const whole = { prompt: joinPrompt(parts, question), hits: [], problems: [] };
  if (question === "" || sumTokens(parts) <= SHORT_TOKENS) return whole;
  const context = await findContext(client, model, signal);
  if (context === null) return whole;
  const long = chooseLong(parts, Math.floor(context * TEXT_SHARE));
  if (long.length === 0) return whole;
  if (long.length > MAX_SEARCHED_FILES)
    throw new UsageError(
      `${long.length} files are too long for ${model}, and passages of at most ${MAX_SEARCHED_FILES} are sent`,
      "feather collections create Documents, for many documents",
    );
  const documents = long.map(({ name, text, hasPages }) => ({
    name: name.replaceAll(HIDDEN, " ").trim() || "file",
    text: text.replaceAll("\0", "").toWellFormed(),
    has_pages: hasPages,
  }));
  const limit = Math.min(MAX_PASSAGES, Math.max(1, Math.floor(context / 4 / PASSAGE_TOKENS)));
  const request = { documents, query: toQuery(question), limit };
  const found = await client.documents.findPassages(request, { signal, timeout: TIMEOUT_MS });
  const total = found.documents.reduce((sum, { passages }) => sum + passages, 0);
  const names = long.map(({ name }) => name).join(", ");
  output.info(`${found.items.length} of ${total} passages were sent of ${names}, too long for ${model}.`);
  const named = parts.map((file) =>
    long.includes(file) ? { part: `${file.name}: too long, see its passages` } : file,
  );
  return { prompt: joinPrompt(named, question), hits: found.items, problems: found.problems };
}

const estimateTokens = ({ part }: FilePart): number => {
  const wide = part.match(WIDE)?.length ?? 0;
  return Math.ceil((part.length - wide) / CHARACTERS_PER_TOKEN + wide);
};

const sumTokens = (parts: readonly FilePart[]): number => parts.reduce((sum, part) => sum + estimateTokens(part), 0);

/** Returns the longest texts, so that the others have at most `maxTokens` together. */
function chooseLong(parts: readonly FilePart[], maxTokens: number): FilePart[] {
  let total = sumTokens(parts);
  return [...parts]
    .sort((a, b) => estimateTokens(b) - estimateTokens(a))
    .filter((part) => {
      if (total <= maxTokens) return false;
      total -= estimateTokens(part);
      return true;
    });
}
