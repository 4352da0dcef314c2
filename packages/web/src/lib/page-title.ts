import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { productName } from "./product.ts";

/** The description of pages that have none of their own. */
export const DEFAULT_DESCRIPTION = t`The latest LLM models, serverless and ready to use at your request.`;

/** Returns a page title with the product name appended. */
export const documentTitle = (page: string): string => `${page} - ${productName()}`;

/** Sets the document title from page data, such as the name of a model; undefined keeps the title of the route. */
export function usePageTitle(page: string | undefined): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of path resets the title to that of the route
  useEffect(() => {
    if (page !== undefined) document.title = documentTitle(page);
  }, [page, pathname]);
}

/** Sets the title of the document, and its description if one is given, with their Open Graph tags. */
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
