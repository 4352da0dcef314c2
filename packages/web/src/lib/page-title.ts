import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { productName } from "./product.ts";

export const DEFAULT_DESCRIPTION = "The latest LLM models, serverless and ready to use at your request.";

export const documentTitle = (page: string): string => `${page} - ${productName()}`;

/** Names the page in the window's title. A page that has data says more than its route does: the model's name, for example. */
export function usePageTitle(page: string | undefined): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of path sets the title of the route, so it is due anew
  useEffect(() => {
    if (page !== undefined) document.title = documentTitle(page);
  }, [page, pathname]);
}

/** What a route says of its page until the page says more. */
export function setHead(title: string, description: string = DEFAULT_DESCRIPTION): void {
  document.title = documentTitle(title);
  for (const [name, content] of [
    ['meta[property="og:title"]', document.title],
    ['meta[name="description"]', description],
    ['meta[property="og:description"]', description],
  ] as const)
    document.querySelector(name)?.setAttribute("content", content);
}
