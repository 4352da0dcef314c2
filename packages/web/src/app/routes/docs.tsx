import type { QueryClient } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router-dom";
import { createLazyPage, PageBody } from "#/app/lazy-page.tsx";
import { DocView, prefetchDoc } from "#/features/content/doc-view.tsx";

const FIRST_SLUG = "quickstart";
const reference = createLazyPage(() => import("#/features/reference/reference-page.tsx"));

/** The docs: pages from Markdown, and the API reference from the contract. */
export default function DocsPage() {
  const slug = useParams()["*"]?.replace(/\/+$/, "") ?? "";
  if (slug === "") return <Navigate to={`/docs/${FIRST_SLUG}`} replace />;
  return isReference(slug) ? <PageBody page={reference} /> : <DocView slug={slug} />;
}

/** Loads the page of the docs, or of the API reference, before it is shown. */
export function prepare(client: QueryClient, path: string): Promise<unknown> {
  const slug = path.replace(/^\/docs\/?/, "").replace(/\/+$/, "");
  return isReference(slug) ? reference.prepare(client, path) : prefetchDoc(client, slug || FIRST_SLUG);
}

const isReference = (slug: string) => slug === "api" || slug.startsWith("api/");
