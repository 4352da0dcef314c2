import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { setHead } from "#/lib/page-title.ts";

/** Title and description of a page that stands for many, such as one of the docs. */
export function usePageHead(title: string | undefined, description?: string): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of path sets what the route says, so it is due anew
  useEffect(() => {
    if (title !== undefined) setHead(title, description);
  }, [title, description, pathname]);
}
