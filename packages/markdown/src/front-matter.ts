import { parse } from "yaml";
import { z } from "zod";

const text = (max: number) => z.string().trim().min(1).max(max);
const day = z.iso.date();

/** Schemas of the front matter by kind of page. */
export const FRONT_MATTER = {
  docs: z.strictObject({
    title: text(60),
    description: text(200),
    section: text(40),
    order: z.number().int().nonnegative(),
  }),
  blog: z.strictObject({ title: text(90), description: text(240), date: day, author: text(60) }),
  legal: z.strictObject({ title: text(60), description: text(200), date: day }),
} as const;

/** The kinds of pages, which are also the folders of `content/`. */
export type ContentKind = keyof typeof FRONT_MATTER;

const FRONT_MATTER_BLOCK = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** Splits a file into front matter and Markdown. Throws if the front matter is missing or invalid. */
export function splitFrontMatter(source: string, kind: ContentKind) {
  const block = FRONT_MATTER_BLOCK.exec(source);
  if (!block) throw new Error("The page does not begin with front matter between two lines of ---.");
  const result = FRONT_MATTER[kind].safeParse(parse(block[1] ?? "", { schema: "core" }));
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return { meta: result.data, markdown: source.slice(block[0].length) };
}
