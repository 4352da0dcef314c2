import { parse } from "yaml";
import { z } from "zod";

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "It must be one line, without control characters.");
const day = z.iso.date();

/** What posts and pages have in common. A draft is not shown. */
const POST = {
  title: text(90),
  description: text(240),
  author: text(60).optional(),
  tags: z.array(text(30)).max(10).optional(),
  draft: z.boolean().optional(),
};

/** Schemas of the front matter by kind of page. */
export const FRONT_MATTER = {
  docs: z.strictObject({
    title: text(60),
    description: text(200),
    section: text(40),
    order: z.number().int().nonnegative(),
  }),
  blog: z.strictObject({ ...POST, date: z.union([day, z.iso.datetime({ offset: true })]) }),
  pages: z.strictObject({ ...POST, date: z.union([day, z.iso.datetime({ offset: true })]).optional() }),
  legal: z.strictObject({ title: text(60), description: text(200), date: day }),
} as const;

/** The front matter of any kind of page. */
type FrontMatter = z.infer<(typeof FRONT_MATTER)[keyof typeof FRONT_MATTER]>;
/** The kinds of pages, which are also the folders of `content/`. */
export type ContentKind = keyof typeof FRONT_MATTER;

const FRONT_MATTER_BLOCK = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** Splits a file into front matter and Markdown. Throws if the front matter is missing or does not fit the schema. */
export function readFrontMatter<Meta>(source: string, schema: z.ZodType<Meta>): { meta: Meta; markdown: string } {
  const block = FRONT_MATTER_BLOCK.exec(source);
  if (!block) throw new Error("The page does not begin with front matter between two lines of ---.");
  const result = schema.safeParse(parse(block[1] ?? "", { schema: "core" }));
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return { meta: result.data, markdown: source.slice(block[0].length) };
}

/** Splits a file of a kind into front matter and Markdown. Throws if the front matter is missing or invalid. */
export const splitFrontMatter = (source: string, kind: ContentKind): { meta: FrontMatter; markdown: string } =>
  readFrontMatter<FrontMatter>(source, FRONT_MATTER[kind]);
