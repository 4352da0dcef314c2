import type { QueryClient } from "@tanstack/react-query";
import { useLocation } from "react-router-dom";
import { tagQuery } from "./queries.ts";
import { ReferenceView } from "./reference-view.tsx";

/** The group of calls that a path names; empty for the overview. */
const tagOf = (path: string) => decoded(path.replace(/^\/docs\/api\/?/, "").replace(/\/+$/, ""));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no address of ours; it is shown as it came
  }
}

/** The reference, as a file of its own. */
export default function ReferencePage() {
  return <ReferenceView tag={tagOf(useLocation().pathname)} />;
}

export async function prepare(client: QueryClient, path: string): Promise<void> {
  const tag = tagOf(path);
  if (tag !== "") await client.prefetchQuery(tagQuery(tag));
}
