import type { QueryClient } from "@tanstack/react-query";
import { useLocation } from "react-router-dom";
import { tagQuery } from "./queries.ts";
import { ReferenceView } from "./reference-view.tsx";

/** Returns the slug of the tag in a path; empty for the overview. */
const getTagSlug = (path: string) => decode(path.replace(/^\/docs\/api\/?/, "").replace(/\/+$/, ""));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // malformed escapes are shown as they are
  }
}

/** The page of the API reference. Loaded lazily. */
export default function ReferencePage() {
  return <ReferenceView tag={getTagSlug(useLocation().pathname)} />;
}

/** Loads the data of a path into the query cache. */
export async function prepare(client: QueryClient, path: string): Promise<void> {
  const tag = getTagSlug(path);
  if (tag !== "") await client.prefetchQuery(tagQuery(tag));
}
