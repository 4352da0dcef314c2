import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { setHead } from "#/lib/page-title.ts";

/** Sets title and description of a page whose route serves many, such as the docs. */
export function usePageHead(title: string | undefined, description?: string): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation resets the head to that of the route
  useEffect(() => {
    if (title !== undefined) setHead(title, description);
  }, [title, description, pathname]);
}
