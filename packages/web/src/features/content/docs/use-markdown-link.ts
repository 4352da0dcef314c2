import { useEffect } from "react";

/** Names the Markdown of a page in the document's head while the page is shown. The server has already done so for the first. */
export function useMarkdownLink(path: string | null): void {
  useEffect(() => {
    if (path === null) return;
    const link = document.head.querySelector<HTMLLinkElement>('link[type="text/markdown"]') ?? createLink();
    link.setAttribute("href", path);
    return () => link.remove();
  }, [path]);
}

function createLink(): HTMLLinkElement {
  const link = document.createElement("link");
  link.rel = "alternate";
  link.type = "text/markdown";
  return document.head.appendChild(link);
}
