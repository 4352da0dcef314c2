import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { ownPageQuery } from "#/features/content/posts.ts";
import { PublishedArticle } from "#/features/content/published-article.tsx";

/** A page of the operator, at an address that nothing else of the site has. */
export default function OwnPage() {
  const { slug = "" } = useParams();
  return <PublishedArticle query={useQuery(ownPageQuery(slug))} />;
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<void> =>
  client.prefetchQuery(ownPageQuery(params.slug ?? ""));
