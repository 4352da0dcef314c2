import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { productName } from "./product.ts";

export const DEFAULT_DESCRIPTION = t`The latest LLM models, serverless and ready to use at your request.`;

export const documentTitle = (page: string): string => `${page} - ${productName()}`;

/** Names the page in the window's title. A page that has data says more than its route does: the model's name, for example. */
export function usePageTitle(page: string | undefined): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of path sets the title of the route, so it is due anew
  useEffect(() => {
    if (page !== undefined) document.title = documentTitle(page);
  }, [page, pathname]);
}

/** The title of a page, and its description where there is another one. */
export function setHead(title: string, description?: string): void {
  document.title = documentTitle(title);
  set('meta[property="og:title"]', document.title);
  if (description === undefined) return;
  set('meta[name="description"]', description);
  set('meta[property="og:description"]', description);
}

function set(tag: string, content: string): void {
  document.querySelector(tag)?.setAttribute("content", content);
}
