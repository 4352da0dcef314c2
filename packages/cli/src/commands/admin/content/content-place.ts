import type { Argument } from "../../../command-line.ts";
import { UsageError } from "../../../errors.ts";

/** What names a post or page. */
export type ContentPlace = { readonly kind: "post" | "page"; readonly slug: string };

/** The argument that names a post or page. */
export const CONTENT_ARGUMENT: Argument = {
  name: "<item>",
  summary: "post/… or page/…: feather admin content list",
};

/** Reads `post/launch` or `page/imprint`. Throws `UsageError` for anything else. */
export function parsePlace(text = ""): ContentPlace {
  const [, kind, slug] = /^(post|page)\/(.+)$/.exec(text) ?? [];
  if ((kind !== "post" && kind !== "page") || slug === undefined)
    throw new UsageError(`${text} is neither post/<slug> nor page/<slug>`, "feather admin content list");
  return { kind, slug };
}

/** What `parsePlace` reads. */
export const formatPlace = ({ kind, slug }: ContentPlace): string => `${kind}/${slug}`;
