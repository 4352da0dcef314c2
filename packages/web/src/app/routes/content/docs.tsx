import type { QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { DocView, prefetchDoc } from "#/features/content/docs/doc-view.tsx";

const FIRST_SLUG = "quickstart";

/** A page of the docs from Markdown; at `/docs` the first one, whose address then replaces it. */
export default function DocsPage() {
  const slug = trimSlashes(useParams()["*"] ?? "");
  const navigate = useNavigate();
  useEffect(() => {
    if (slug === "") void navigate(`/docs/${FIRST_SLUG}`, { replace: true });
  }, [slug, navigate]);
  return <DocView slug={slug || FIRST_SLUG} />;
}

/** Loads the page of the docs before it is shown. */
export const prepare = (client: QueryClient, path: string): Promise<unknown> =>
  prefetchDoc(client, trimSlashes(path.replace(/^\/docs\/?/, "")) || FIRST_SLUG);

const trimSlashes = (text: string): string => text.replace(/\/+$/, "");
