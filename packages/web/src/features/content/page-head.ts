import { useEffect } from "react";
import { productName } from "#/lib/product.ts";

/** Title and description of a page that stands for many, such as one of the docs. */
export function usePageHead(title: string | undefined, description?: string): void {
  useEffect(() => {
    if (title === undefined) return;
    document.title = `${title} - ${productName()}`;
    if (description !== undefined)
      for (const name of ['meta[name="description"]', 'meta[property="og:description"]'])
        document.querySelector(name)?.setAttribute("content", description);
  }, [title, description]);
}
