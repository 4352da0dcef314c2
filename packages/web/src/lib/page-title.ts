import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { getProductName } from "./product.ts";

/** The description of pages that have none of their own. */
export const DEFAULT_DESCRIPTION = t`The latest LLM models, serverless and ready to use at your request.`;

/** Returns a page title with the product name appended. */
export const formatDocumentTitle = (title: string): string => `${title} - ${getProductName()}`;

/** Sets the document title from page data, such as the name of a model; undefined keeps the title of the route. */
export function usePageTitle(title: string | undefined): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of path resets the title to that of the route
  useEffect(() => {
    if (title !== undefined) document.title = formatDocumentTitle(title);
  }, [title, pathname]);
}

/** Sets the title of the document, and its description if one is given, with their Open Graph tags. */
export function setHead(title: string, description?: string): void {
  document.title = formatDocumentTitle(title);
  setMetaContent('meta[property="og:title"]', document.title);
  if (description === undefined) return;
  setMetaContent('meta[name="description"]', description);
  setMetaContent('meta[property="og:description"]', description);
}

function setMetaContent(selector: string, content: string): void {
  document.querySelector(selector)?.setAttribute("content", content);
}
