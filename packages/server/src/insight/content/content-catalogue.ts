import type { Clock } from "../../platform/core/clock.ts";
import { type CacheOptions, createCache } from "../../platform/core/replicas/cache.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import type { BuiltInContent } from "./built-in-content.ts";
import type { ContentKey, ContentRepository, StoredContent } from "./content.repository.ts";
import { type ContentKind, type ContentMeta, type ContentSource, stateOf } from "./content-entry.ts";
import type { ContentProblem, FolderContent } from "./content-folder.ts";

/** A post or page, and where it comes from. */
export type ListedContent = ContentMeta & {
  readonly source: ContentSource;
  /** What would be shown in its place without it; null if nothing would. */
  readonly replaces: "folder" | "built_in" | null;
  /** What the database knows of it; null if it has no row. */
  readonly stored: Pick<StoredContent, "version" | "editor" | "editedAt"> | null;
  /** Returns its text as Markdown; null if it was deleted meanwhile. */
  readText(): Promise<string | null>;
};

type Deps = {
  builtIn: BuiltInContent;
  readFolder: () => Promise<FolderContent>;
  contentRepository: ContentRepository;
  clock: Clock;
  replicas: Replicas;
};

const CACHE: Omit<CacheOptions, "max"> = { ttlMs: 60_000, tables: ["content_items"] };
const CACHED_TEXTS = 100;

/** Creates what lists and finds posts and pages, whichever place they come from. */
export function createContentCatalogue({ builtIn, readFolder, contentRepository, clock, replicas }: Deps) {
  const rows = createCache<readonly StoredContent[]>(replicas, { ...CACHE, max: 1 });
  const texts = createCache<string | null>(replicas, { ...CACHE, max: CACHED_TEXTS });
  // With the version in its key, an older text is never returned with a newer version.
  const readStoredText = (key: ContentKey, version: number) => async () =>
    texts.read(`${keyOf(key)} ${version}`, () => contentRepository.readText(key));
  const isTaken = ({ kind, slug }: ContentKey): boolean => kind === "page" && builtIn.takenNames.has(slug);

  /** Returns all posts and pages, newest first: what admins wrote, before files, before what comes with the product. */
  async function list(): Promise<ListedContent[]> {
    const { entries } = await readFolder();
    const stored = await rows.read("all", () => contentRepository.list());
    const found = new Map<string, ListedContent>();
    const layers = [
      { source: "built_in", files: builtIn.posts },
      { source: "folder", files: entries.filter((entry) => !isTaken(entry)) },
    ] as const;
    for (const { source, files } of layers)
      for (const { text, ...meta } of files)
        found.set(keyOf(meta), {
          ...meta,
          source,
          replaces: originOf(found.get(keyOf(meta))),
          stored: null,
          readText: async () => text,
        });
    for (const { version, editor, editedAt, ...meta } of stored)
      found.set(keyOf(meta), {
        ...meta,
        source: "editor",
        replaces: originOf(found.get(keyOf(meta))),
        stored: { version, editor, editedAt },
        readText: readStoredText(meta, version),
      });
    return [...found.values()].sort(byTime);
  }

  return {
    list,

    /** Returns the files that are not shown, those among them whose address the site has. */
    async listProblems(): Promise<ContentProblem[]> {
      const { entries, problems } = await readFolder();
      const taken = entries.filter(isTaken);
      return [
        ...problems,
        ...taken.map(({ slug }) => ({
          file: `content/pages/${slug}.md`,
          problem: `The site has something else at /${slug}.`,
        })),
      ];
    },

    /** Returns the published posts or pages, newest first. */
    async listPublished(kind: ContentKind): Promise<ListedContent[]> {
      const now = clock.now();
      return (await list()).filter(
        (entry) => entry.kind === kind && stateOf(entry, now) === "published" && !isTaken(entry),
      );
    },

    /** Finds a post or page in whatever state; undefined if there is none. */
    async find({ kind, slug }: ContentKey): Promise<ListedContent | undefined> {
      return (await list()).find((entry) => entry.kind === kind && entry.slug === slug);
    },

    /** Whether a page cannot have an address, because the site has something else there. */
    isTaken,

    /** Makes this process see a change of its own at once. */
    invalidate(): void {
      rows.clear();
      texts.clear();
    },
  };
}

/** Lists and finds posts and pages. */
export type ContentCatalogue = ReturnType<typeof createContentCatalogue>;

const keyOf = ({ kind, slug }: ContentKey) => `${kind} ${slug}`;
const originOf = (below: ListedContent | undefined): "folder" | "built_in" | null =>
  below === undefined || below.source === "editor" ? null : below.source;

/** Newest first, drafts without a time before all others. */
function byTime(a: ContentMeta, b: ContentMeta): number {
  const [timeA, timeB] = [a, b].map(({ publishedAt }) => publishedAt?.getTime() ?? Number.POSITIVE_INFINITY);
  if (timeA === timeB || timeA === undefined || timeB === undefined) return a.slug < b.slug ? -1 : 1;
  return timeB - timeA;
}
