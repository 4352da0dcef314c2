import type { components } from "@feather/openapi/schema";

type DocumentText = components["schemas"]["DocumentText"];

/** What a document may take; what is above `pages` and `characters` is left out. */
export type ReadLimits = {
  pages: number;
  characters: number;
  /** Bytes of all parts that are read of a ZIP archive. */
  unpackedBytes: number;
};

/** The text of a document, and what is known of it. `text` is at most as long as the limit. */
export type Contents = Pick<DocumentText, "type" | "text" | "pages" | "cut_at"> & { pagesRead: number | null };

/** Why a document cannot be read; `reason` is the end of a sentence, for the kinds that need one. */
export type Problem = {
  kind: "not_supported" | "encrypted" | "damaged" | "no_text" | "too_large";
  reason?: string;
};

/** What the process that reads a document answers. */
export type Outcome = { contents: Contents } | { problem: Problem };

/** The error for a document that cannot be read. */
export class UnreadableDocumentError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.kind);
    this.name = "UnreadableDocument";
    this.problem = problem;
  }
}
