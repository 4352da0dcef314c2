import type { components } from "@feather/openapi/schema";
import { bind } from "../../platform/core/bind.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { ParseQueue } from "../../platform/core/parse-pool.ts";
import type { DocumentSettings } from "./documents.settings.ts";
import type { readInProcess } from "./reader-process.ts";
import type { Problem } from "./reading/outcome.ts";

type DocumentText = components["schemas"]["DocumentText"];

type Deps = {
  settings: DocumentSettings;
  takeTurn: ParseQueue;
  read: typeof readInProcess;
};

const MEGABYTE = 1024 * 1024;
const CHARACTERS_PER_TOKEN = 4;
/** Characters from here on, which are mostly Chinese, Japanese and Korean, take a token each. */
const FIRST_WIDE_CHARACTER = "\u2e80";

/** A document that was sent, for whom it is read, and the signal that ends the wait. */
export type DocumentInput = { file: File; userId: string; signal: AbortSignal };

/** Reads the text of a document, as `createReadDocument` says. */
export type ReadDocument = (input: DocumentInput) => Promise<DocumentText>;

/** Creates the function that reads the text of a document. */
export const createReadDocument = (deps: Deps): ReadDocument => bind(deps, { readDocument }).readDocument;

/**
 * Reads the text of a document when it is the person's turn. Throws 413 for one that is too large, an error of the group
 * `documents` for one that cannot be read, and those of the queue.
 */
async function readDocument({ settings, takeTurn, read }: Deps, input: DocumentInput): Promise<DocumentText> {
  const { file, userId, signal } = input;
  const { megabytes, unpackedMegabytes, ...others } = settings;
  if (file.size > megabytes * MEGABYTE)
    throw errors.payloadTooLarge(`${file.name} has more than ${megabytes} MB.`, {
      param: "file",
      details: { max: megabytes * MEGABYTE },
    });
  const limits = { ...others, unpackedBytes: unpackedMegabytes * MEGABYTE };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const outcome = await takeTurn(() => read(bytes, file.name, limits, signal), { account: userId, signal });
  if ("problem" in outcome) throw toError(file.name, outcome.problem);
  const { text, type, cut_at, pages: all, pagesRead } = outcome.contents;
  return {
    name: file.name,
    type,
    text,
    pages: all,
    pages_read: pagesRead,
    characters: text.length,
    tokens: estimateTokens(text),
    cut_at,
  };
}

function toError(name: string, { kind, reason = "" }: Problem): AppError {
  const options = { param: "file" };
  switch (kind) {
    case "not_supported":
      return errors.documents.notSupported({ name, reason }, options);
    case "encrypted":
      return errors.documents.encrypted({ name }, options);
    case "damaged":
      return errors.documents.damaged({ name }, options);
    case "no_text":
      return errors.documents.noText({ name }, options);
    case "too_large":
      return errors.documents.tooLarge({ name, reason }, options);
  }
}

/** Estimates the tokens of a text as the site does: four characters for each, one of wide scripts. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (const character of text) if (character >= FIRST_WIDE_CHARACTER) wide += 1;
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide);
}
