import { readFile } from "node:fs/promises";
import { type ContentItem, type ContentWrite, isNotFound } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Context } from "../../../context.ts";
import { UsageError } from "../../../errors.ts";
import { isSet, optionalText } from "../../../flags.ts";
import { readAll } from "../../../input.ts";
import { CONTENT_ARGUMENT, type ContentPlace, formatPlace, parsePlace } from "./content-place.ts";
import { CONTENT_FIELDS } from "./show.ts";

type PutOptions = ContentPlace & {
  readonly file?: string;
  readonly title?: string;
  readonly description?: string;
  readonly author?: string;
  readonly tags?: string;
  readonly isDraft: boolean;
};

/** Saves a post or page: a new one as a draft, another one in the state that it has. */
export const contentPut: Command<PutOptions> = {
  name: "admin content put",
  summary: "Write a post or page, or change it",
  description:
    "What is not given stays as it is. A new one is a draft until `feather admin content publish`. Refused when another admin changed it in the meantime.",
  arguments: [CONTENT_ARGUMENT],
  flags: [
    { name: "--file <path>", summary: "file with the text as Markdown; - is stdin", values: "files" },
    { name: "--title <text>", summary: "title" },
    { name: "--description <text>", summary: "what it is about in a sentence" },
    { name: "--author <name>", summary: "who wrote it; empty to name nobody" },
    { name: "--tags <words>", summary: "words with commas between them; empty for none" },
    { name: "--draft", summary: "hide it" },
  ],
  prints: "one",
  fields: CONTENT_FIELDS,
  needs: "admin",
  examples: [
    'feather admin content put post/launch --title Launch --description "It is there." --file launch.md',
    "feather admin content put page/imprint --file imprint.md",
    "feather admin content put post/launch --draft",
  ],
  options: ([place], flags) => ({
    ...parsePlace(place),
    ...optionalText("file", flags.file),
    ...optionalText("title", flags.title),
    ...optionalText("description", flags.description),
    ...optionalText("author", flags.author),
    ...optionalText("tags", flags.tags),
    isDraft: isSet(flags, "draft"),
  }),
  async run(context, options) {
    const { client, output, signal } = context;
    const { admin } = await client();
    const { kind, slug } = options;
    const before = await findContent(() => admin.content.get(kind, slug, { signal }));
    const value = await admin.content.put(kind, slug, await toWrite(context, options, before), { signal });
    output.printChange({ value, id: formatPlace(value), message: `${value.title}: ${value.state}.` });
  },
};

/** Returns a post or page; null if there is none. */
async function findContent(get: () => PromiseLike<ContentItem>): Promise<ContentItem | null> {
  try {
    return await get();
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function toWrite(
  { io }: Pick<Context, "io">,
  { file, title, description, author, tags, isDraft, ...place }: PutOptions,
  before: ContentItem | null,
): Promise<ContentWrite> {
  const text =
    file === undefined ? before?.text : file === "-" ? await readAll(io.stdin) : await readFile(file, "utf8");
  const named = { title: title ?? before?.title, description: description ?? before?.description };
  if (named.title === undefined || named.description === undefined || text === undefined)
    throw new UsageError(
      `${formatPlace(place)} is new: it needs --title, --description and --file`,
      `feather admin content put ${formatPlace(place)} --title … --description … --file text.md`,
    );
  const isHidden = isDraft || before === null || before.state === "draft";
  return {
    version: before?.version ?? 0,
    title: named.title,
    description: named.description,
    author: author === undefined ? (before?.author ?? null) : author === "" ? null : author,
    tags: tags === undefined ? (before?.tags ?? []) : splitTags(tags),
    state: isHidden ? "draft" : "published",
    published_at: before?.published_at ?? null,
    text,
  };
}

const splitTags = (tags: string) => [...new Set(tags.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
