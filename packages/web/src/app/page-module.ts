import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";

/** What the module of a page exports: its component, and how to load the data it needs. */
export type PageModule = {
  default: ComponentType;
  /** Loads into the cache what the page cannot be rendered without. Also runs when the page is prerendered. */
  prepare?(client: QueryClient, path: string): Promise<unknown>;
  /** Loads the data of the first view into the cache. The page also renders without it. */
  prefetch?(client: QueryClient, location: PageLocation): Promise<unknown>;
};

/** The part of the URL that decides what a page loads. */
export type PageLocation = { pathname: string; search: string };

/** Loads the chunk of a page. */
export type ImportPage = () => Promise<PageModule>;
